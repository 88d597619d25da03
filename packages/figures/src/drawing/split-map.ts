import { type CellMask, countText, type Embedding } from '@cellfolio/model';
import { countCategories, FigureInputError } from './checked-input.ts';
import type { CommonSpec, Drawing, Figure, ScatterSpec } from './figure.ts';
import type { CellGroups } from './group-cells.ts';
import { largestFilled } from './chosen-groups.ts';
import { isScatter } from './raster/paint-scatter.ts';
import { undrawnShade, type PointLayer } from './raster/point-layer.ts';
import type { Mark, Rectangle, Scene } from './scene/scene.ts';
import { inkColour, smallSize, softInk } from './scene/style.ts';
import { columnLabels, cleanLabel } from './text/fit-text.ts';
import { fittedNames } from './text/fitted-names.ts';
import { textWidth } from './text/text-width.ts';

/** Maximum maps of one figure: more would be too small to compare. */
const maxParts = 12;

interface MapPart {
  label: string;
  cells: number;
}

interface SplitSpec extends ScatterSpec {
  split: { title: string; parts: readonly MapPart[]; partCount: number };
}

/**
 * Draws the map once for each category of a column, with common colours and scale: cells of the other categories are a
 * faint silhouette. Limited to the twelve largest. Throws FigureInputError if the column has other cells, or no cell
 * has a category.
 */
export function splitMap(figure: Figure, by: CellGroups, mask: CellMask | undefined): Figure {
  const { spec, columns, drawing } = figure;
  if (!isScatter(figure)) throw new FigureInputError('split', 'Only a map of cells is split into maps.');
  const { codes, categories } = by.column;
  const { values, dimensions } = figure.columns.embedding;
  if (codes.length !== values.length / dimensions) {
    throw new FigureInputError('split', `the parts hold ${codes.length} cells, the map another number`);
  }
  const { perCategory, missing } = countCategories(by.column, mask);
  const chosen = largestFilled(perCategory, maxParts);
  if (chosen.length === 0) {
    throw new FigureInputError(
      'split',
      `No cell has a value of ${cleanLabel(by.title)} to split the map by.`,
    );
  }
  const partCount = perCategory.filter((cells) => cells > 0).length;
  const labels = columnLabels(by.column, chosen);
  const partOfCode = new Int16Array(categories.length).fill(-1);
  chosen.forEach((code, part) => (partOfCode[code] = part));
  const split: SplitSpec['split'] = {
    title: cleanLabel(by.title),
    parts: chosen.map((code, part) => ({ label: labels[part]!, cells: perCategory[code]! })),
    partCount,
  };
  const summary = [
    spec.summary,
    `split by ${split.title}`,
    ...(chosen.length < partCount ? [`the ${chosen.length} largest of ${countText(partCount)} parts`] : []),
    ...(missing > 0 ? [`${countText(missing)} in no part`] : []),
  ].join(' · ');
  const partOf = Int16Array.from(codes, (code) => (code < 0 ? -1 : (partOfCode[code] ?? -1)));
  return {
    spec: { ...spec, summary, split } as CommonSpec,
    columns,
    drawing: splitDrawing(drawing as unknown as ScatterDrawing, partOf, chosen.length) as unknown as Drawing,
  };
}

type ScatterDrawing = Omit<Drawing<SplitSpec, { embedding: Embedding }>, 'scene'> & {
  scene(spec: SplitSpec): Scene;
};

function splitDrawing(drawing: ScatterDrawing, partOf: Int16Array, parts: number): ScatterDrawing {
  return {
    ...drawing,
    scene: (spec) => splitScene(drawing.scene(spec), spec),
    points: (figure) => {
      const { panel } = drawing.scene(figure.spec);
      const { places } = placesIn(panel, parts);
      // The same part of a smaller map is inked.
      const shrunk = Math.min(
        1,
        Math.min(places[0]!.width, places[0]!.height) / Math.min(panel.width, panel.height),
      );
      const layers = drawing.points!(figure);
      const { inks, cellInk } = layers[0]!;
      const radiusOf = ({ pointRadius = figure.spec.pointRadius }: Partial<PointLayer>): number =>
        Math.max(0.4, pointRadius * shrunk);
      const silhouette = {
        inks,
        cellInk: new Uint8Array(cellInk.length),
        order: Int32Array.from(cellInk.keys()).filter((cell) => cellInk[cell] !== undrawnShade),
        pointRadius: radiusOf({}),
      };
      const own = layers.map((layer) => ({ layer, orders: ordersOf(layer, partOf, parts) }));
      const partsOf = (part: number): PointLayer[] =>
        own.map(({ layer, orders }) => ({
          inks: layer.inks,
          cellInk: layer.cellInk,
          order: orders[part]!,
          pointRadius: radiusOf(layer),
          panel: places[part]!,
        }));
      return places.flatMap((place, part) =>
        [{ ...silhouette, panel: place } as PointLayer].concat(partsOf(part)),
      );
    },
  };
}

function ordersOf(
  { order, cellInk, ground }: PointLayer,
  partOf: Int16Array,
  parts: number,
): readonly Int32Array[] {
  const counts = new Uint32Array(parts);
  const isGround = (cell: number): boolean => ground !== undefined && cellInk[cell] === ground;
  for (let cell = 0; cell < cellInk.length; cell++) {
    if (partOf[cell]! >= 0 && isGround(cell)) counts[partOf[cell]!]!++;
  }
  for (let i = 0; i < order.length; i++) {
    const part = partOf[order[i]!]!;
    if (part >= 0 && !isGround(order[i]!)) counts[part]!++;
  }
  const orders = Array.from(counts, (count) => new Int32Array(count));
  const next = new Uint32Array(parts);
  const put = (cell: number, part: number): void => {
    orders[part]![next[part]!++] = cell;
  };
  for (let cell = 0; cell < cellInk.length; cell++) {
    if (partOf[cell]! >= 0 && isGround(cell)) put(cell, partOf[cell]!);
  }
  for (let i = 0; i < order.length; i++) {
    const part = partOf[order[i]!]!;
    if (part >= 0 && !isGround(order[i]!)) put(order[i]!, part);
  }
  return orders;
}

const gap = 8;
const labelHeight = 20;
const labelledFrom = { width: 48, height: 60 } as const;

function placesIn(panel: Rectangle, parts: number) {
  const { columns, width, height } = gridOf(panel, parts);
  const isLabelled = width >= labelledFrom.width && height >= labelledFrom.height;
  const boxes = Array.from({ length: parts }, (_, i) => ({
    x: panel.x + (i % columns) * (width + gap),
    y: panel.y + Math.floor(i / columns) * (height + gap),
    width,
    height,
  }));
  const places = boxes.map((box) =>
    isLabelled ? { ...box, y: box.y + labelHeight, height: box.height - labelHeight } : box,
  );
  return { boxes, places, isLabelled };
}

function splitScene(scene: Scene, { split: { parts } }: SplitSpec): Scene {
  const { boxes, isLabelled } = placesIn(scene.panel, parts.length);
  if (!isLabelled) return scene;
  const rooms = parts.map(({ cells }, i) => labelRoom(countText(cells), boxes[i]!));
  const names = fittedNames(
    parts.map(({ label }) => label),
    rooms.map(({ width }) => width),
    smallSize,
  );
  return {
    ...scene,
    marks: [
      ...scene.marks,
      ...parts.flatMap((part, i) => partLabel(part, boxes[i]!, { name: names[i]!, ...rooms[i]! })),
    ],
  };
}

function gridOf({ width, height }: Rectangle, parts: number) {
  let best = { columns: 1, width: 0, height: 0 };
  for (let columns = 1; columns <= parts; columns++) {
    const rows = Math.ceil(parts / columns);
    const cell = {
      columns,
      width: (width - (columns - 1) * gap) / columns,
      height: (height - (rows - 1) * gap) / rows,
    };
    const side = Math.min(cell.width, cell.height - labelHeight);
    if (side > Math.min(best.width, best.height - labelHeight) || columns === 1) best = cell;
  }
  return best;
}

function labelRoom(count: string, { width }: Rectangle) {
  const left = width - textWidth(count, smallSize) - 6;
  return left >= 40 ? { width: left, hasCount: true } : { width, hasCount: false };
}

function partLabel(
  { label, cells }: MapPart,
  { x, y }: Rectangle,
  { name, hasCount }: { name: string; hasCount: boolean },
): Mark[] {
  const count = countText(cells);
  const text = { kind: 'text', size: smallSize, style: 'regular', y: y + 14, anchor: 'start' } as const;
  return [
    { ...text, text: name, x, colour: inkColour, ...(name !== label && { full: label }) },
    ...(hasCount
      ? [{ ...text, text: count, x: x + textWidth(name, smallSize) + 6, colour: softInk } as const]
      : []),
  ];
}
