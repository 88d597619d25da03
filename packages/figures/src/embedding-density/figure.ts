import { type CategoricalColumn, type CellMask, countText, type Embedding, plural } from '@cellfolio/model';
import { countCategories, FigureInputError } from '../drawing/checked-input.ts';
import { expressionRamp, outsideGrey, zeroGrey, darkExpressionRamp } from '../drawing/colour/ramps.ts';
import type { Figure, CommonSpec, FittedSpec } from '../drawing/figure.ts';
import { type CellGroups, groupCells } from '../drawing/group-cells.ts';
import { largestFilled, largestOf } from '../drawing/chosen-groups.ts';
import { type PointLayer, shuffledOrder } from '../drawing/raster/point-layer.ts';
import { frameText, highlightRadius, scatterFrame } from '../drawing/scatter-frame.ts';
import { radiusIn, colourBar, maxBarHeight } from '../drawing/scene/bar-scatter-scene.ts';
import { columnLabels, cleanLabel, wrappedWords } from '../drawing/text/fit-text.ts';
import { plot } from '../plot.ts';
import { fittedWith } from '../drawing/minimum-size.ts';
import { axisArrows, heading, isTiny } from '../drawing/scene/panel.ts';
import type { Mark, Rectangle, Scene } from '../drawing/scene/scene.ts';
import { inkColour, smallSize, softInk } from '../drawing/scene/style.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { fitText } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { themedInk } from '../drawing/themed-ink.ts';
import { cellDensity } from './cell-density.ts';
import type { embeddingDensityContent } from './content.ts';
import { densityLayout, densitySize, aroundBar, headLine, mapsThatFit, nameDrop } from './layout.ts';
import { denseFrom, type DensityGroup, type EmbeddingDensitySpec, maxMaps, problemText } from './spec.ts';

interface EmbeddingDensityInput {
  embedding: Embedding;
  groups: Omit<CellGroups, 'title'> & { title?: string };
  /** Column that describes the dense cells; absent if it is the grouping itself. */
  types?: CategoricalColumn | undefined;
  datasetName: string;
  /** Cells counted and coloured; the others are a faint silhouette. */
  mask?: CellMask | undefined;
}

interface DensityColumns {
  embedding: Embedding;
  mask: CellMask | undefined;
  /** Cells with coordinates of each drawn group, by its code. */
  cellsOf: ReadonlyMap<number, Int32Array>;
  /** Densities from 0 to 1 in the same order; missing for a group without a density. */
  densityOf: ReadonlyMap<number, Float64Array>;
}

type EmbeddingDensityFigure = Figure<EmbeddingDensitySpec, DensityColumns>;

const namedTypes = 3;

/**
 * Density of each group's cells on an embedding, as in `sc.tl.embedding_density`: each group separately, from 0 in its
 * sparsest to 1 in its densest cell. Draws at most 12 groups, the largest. Throws FigureInputError if the columns do
 * not describe the same cells.
 */
function embeddingDensityFigure(input: EmbeddingDensityInput): EmbeddingDensityFigure {
  const { embedding, groups: by, types, mask } = input;
  const { column } = by;
  const frame = scatterFrame(embedding, column.codes.length, { ...(mask && { mask }) });
  const { perCategory, missing } = countCategories(column, mask);
  const codes = largestFilled(perCategory, maxMaps);
  const labels = columnLabels(column, codes);
  const cellsOf = placedCells(embedding, column, codes, mask);
  const densityOf = new Map<number, Float64Array>();
  const groups = codes.map((code, i): DensityGroup => {
    const cells = cellsOf.get(code)!;
    const common = { code, label: labels[i]!, cells: cells.length };
    const density = cellDensity(coordinates(embedding, cells, 0), coordinates(embedding, cells, 1));
    if ('problem' in density) return { ...common, ...density, dense: 0, peak: null, among: [] };
    densityOf.set(code, density.scaled);
    const peak = cells[density.scaled.indexOf(1)]! * embedding.dimensions;
    const dense = cells.filter((_, nth) => density.scaled[nth]! >= denseFrom);
    return {
      ...common,
      dense: dense.length,
      peak: [rounded(embedding.values[peak]!), rounded(embedding.values[peak + 1]!)],
      among: types === undefined ? [] : frequentTypes(types, dense),
    };
  });
  const inGroups = frame.counts.cells - missing;
  const groupCount = perCategory.filter((cells) => cells > 0).length;
  const spec: EmbeddingDensitySpec = {
    version: 1,
    kind: 'embedding-density',
    title: cleanLabel(by.title === undefined ? 'Density of all cells' : `Density by ${by.title}`),
    datasetName: cleanLabel(input.datasetName),
    summary: [
      plural(inGroups, 'cell'),
      ...(codes.length < groupCount
        ? [`the ${codes.length} largest of ${countText(groupCount)} groups`]
        : [plural(groupCount, 'group')]),
      'each scaled from 0 to 1',
      ...(missing > 0 ? [`${countText(missing)} without a group left out`] : []),
      ...frameText(frame),
    ].join(' · '),
    size: densitySize(codes.length),
    ...frame,
    order: 'highlighted-on-top',
    groupTitle: cleanLabel(by.title ?? 'Cells'),
    groups,
    groupCount,
    colours: { ramp: expressionRamp, others: zeroGrey, outside: outsideGrey },
  };
  return { spec, columns: { embedding, mask, cellsOf, densityOf }, drawing: { scene, points, fit, dark } };
}

function placedCells(
  { values, dimensions }: Embedding,
  { codes, categories }: CategoricalColumn,
  shownCodes: readonly number[],
  mask: CellMask | undefined,
): Map<number, Int32Array> {
  const placeOf = new Int32Array(categories.length).fill(-1);
  shownCodes.forEach((code, place) => (placeOf[code] = place));
  const eachPlaced = (take: (place: number, cell: number) => void): void => {
    for (let cell = 0; cell < codes.length; cell++) {
      const place = placeOf[codes[cell]!] ?? -1;
      if (place < 0 || (mask !== undefined && mask.bits[cell] !== 1)) continue;
      const at = cell * dimensions;
      if (Number.isFinite(values[at]) && Number.isFinite(values[at + 1])) take(place, cell);
    }
  };
  const counts = new Uint32Array(shownCodes.length);
  eachPlaced((place) => counts[place]!++);
  const cells = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  eachPlaced((place, cell) => (cells[place]![counts[place]!++] = cell));
  return new Map(shownCodes.map((code, place) => [code, cells[place]!]));
}

function coordinates({ values, dimensions }: Embedding, cells: Int32Array, axis: 0 | 1): Float64Array {
  const of = new Float64Array(cells.length);
  for (let i = 0; i < cells.length; i++) of[i] = values[cells[i]! * dimensions + axis]!;
  return of;
}

function frequentTypes(column: CategoricalColumn, cells: Int32Array): DensityGroup['among'] {
  const { codes, categories } = column;
  const counts = new Uint32Array(categories.length);
  for (const cell of cells) if (codes[cell]! >= 0) counts[codes[cell]!]!++;
  const frequent = largestFilled(counts, namedTypes).sort((a, b) => counts[b]! - counts[a]!);
  const labels = columnLabels(column, frequent);
  return frequent.map((code, i) => ({ label: labels[i]!, cells: counts[code]! }));
}

function rounded(coordinate: number): number {
  return Number(coordinate.toPrecision(4));
}

const outside = 0;
const others = 1;
const firstShade = 2;

function points({
  spec,
  columns: { embedding, mask, cellsOf, densityOf },
}: Pick<EmbeddingDensityFigure, 'spec' | 'columns'>): PointLayer[] {
  const { groups, pointRadius, counts, colours } = spec;
  const inks = [colours.outside, colours.others, ...colours.ramp];
  const ground = new Uint8Array(embedding.values.length / embedding.dimensions).fill(others);
  if (mask !== undefined) for (let i = 0; i < ground.length; i++) if (mask.bits[i] !== 1) ground[i] = outside;
  const { order } = shuffledOrder(ground, firstShade);
  // No cell is in two groups, so that all maps share what their cells are painted with.
  const cellInk = new Uint8Array(ground.length);
  const shades = colours.ramp.length;
  const { panels } = densityLayout(spec, groups.length);
  const layers = groups.flatMap(({ code }, place): PointLayer[] => {
    const [cells, density, panel] = [cellsOf.get(code)!, densityOf.get(code), panels[place]!];
    if (density === undefined) return [];
    for (let i = 0; i < cells.length; i++) {
      cellInk[cells[i]!] = firstShade + Math.min(shades - 1, Math.floor(density[i]! * shades));
    }
    const radius = highlightRadius(pointRadius, counts.cells, cells.length);
    return [
      { inks, cellInk: ground, order, panel, pointRadius: radiusIn({ panel }, pointRadius) },
      { inks, cellInk, order: cells, panel, pointRadius: radiusIn({ panel }, radius) },
    ];
  });
  return layers.length > 0 ? layers : [{ inks, cellInk, order: new Int32Array(0) }];
}

export const embeddingDensity = plot<typeof embeddingDensityContent>(
  'embedding-density',
  ({ embedding, groups, types }, { range, mask, datasetName }, { by }) => {
    if (range) throw new FigureInputError('range', 'Densities go from 0 to 1 and have no other range.');
    const isOther = types.columnName !== undefined && types.columnName !== groups.columnName;
    const { title, ...cellGroups } = groupCells(groups, by?.bins, mask);
    return embeddingDensityFigure({
      embedding,
      groups: { ...cellGroups, ...(groups.columnName !== undefined && { title }) },
      ...(isOther && { types: types.column }),
      datasetName,
      mask,
    });
  },
);

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;
const lineHeight = 19;

function scene(spec: EmbeddingDensitySpec): Scene {
  const { groups, size } = spec;
  const { box, panels, nameLines, hasBar, hasArrows } = densityLayout(spec, groups.length);
  const lowestLeft = panels.findLast(({ x }) => x === box.x);
  const names = fittedNames(
    groups.map(({ label }) => label),
    groups.map((group, i) => roomOfName(group, panels[i]!, nameLines)),
    smallSize,
  );
  return {
    ...size,
    panel: box,
    marks: [
      ...(isTiny(spec) ? [] : heading(spec, 'semibold')),
      ...(groups.length === 0 ? sentence('None of these cells is in a group.', box) : []),
      ...groups.flatMap((group, i) => [
        ...nameOf(group, names[i]!, panels[i]!, nameLines),
        ...(group.problem === undefined ? [] : sentence(problemText(group.problem), panels[i]!)),
      ]),
      ...(hasArrows && lowestLeft ? axisArrows(lowestLeft, spec) : []),
      ...(hasBar && groups.some(({ problem }) => problem === undefined) ? bar(spec, box) : []),
    ],
  };
}

function bar({ size, colours }: EmbeddingDensitySpec, { y, height }: Rectangle): Mark[] {
  return colourBar(
    {
      low: 0,
      high: 1,
      clippedLow: false,
      clippedHigh: false,
      ramp: colours.ramp,
      unit: 'Scaled density',
      height: Math.min(maxBarHeight, height - aroundBar),
    },
    { figureWidth: size.width, top: y },
  ).marks;
}

function roomOfName({ cells }: DensityGroup, { width }: Rectangle, lines: 1 | 2): number {
  return lines === 1 ? width - textWidth(countOf(cells), smallSize) - 12 : width;
}

function countOf(cells: number): string {
  return `n = ${countText(cells)}`;
}

function nameOf(
  { label, cells }: DensityGroup,
  text: string,
  { x, y, width }: Rectangle,
  lines: 1 | 2,
): Mark[] {
  const count = countOf(cells);
  const isBeside = lines === 1;
  const last = y - nameDrop;
  return [
    {
      ...small,
      text,
      ...(text !== label && { full: label }),
      x,
      y: isBeside ? last : last - headLine,
      colour: inkColour,
      anchor: 'start',
    },
    {
      ...small,
      text: count,
      x: isBeside ? x + width : x,
      y: last,
      colour: softInk,
      anchor: isBeside ? 'end' : 'start',
    },
  ];
}

function sentence(words: string, { x, y, width, height }: Rectangle): Mark[] {
  const lines = wrappedWords(words, width - 8, smallSize).slice(
    0,
    Math.max(1, Math.floor(height / lineHeight)),
  );
  const first = y + height / 2 - ((lines.length - 1) * lineHeight) / 2 + smallSize * 0.36;
  return lines.flatMap((text, i): Mark[] => [
    {
      ...small,
      text,
      x: x + width / 2,
      y: first + i * lineHeight,
      colour: softInk,
      anchor: 'middle',
    },
  ]);
}

function fit(spec: EmbeddingDensitySpec, size: CommonSpec['size']): FittedSpec<EmbeddingDensitySpec> {
  const all = spec.groups;
  const maxMaps = mapsThatFit({ ...spec, size, fitted: { leftOut: '' } }, all.length);
  const groups = largestOf(all.keys(), (place) => all[place]!.cells, maxMaps).map((place) => all[place]!);
  const leftOut = fitText(groups.length, all.length, 'groups');
  const fitted = fittedWith(leftOut, {
    'the color bar': densityLayout({ ...spec, size, fitted: { leftOut } }, groups.length).hasBar,
  });
  return { spec: { ...spec, size, fitted, groups }, isWhole: leftOut === '' };
}

function dark({ colours }: EmbeddingDensitySpec): Pick<EmbeddingDensitySpec, 'colours'> {
  return {
    colours: {
      ramp: darkExpressionRamp,
      others: themedInk(colours.others, 'dark'),
      outside: themedInk(colours.outside, 'dark'),
    },
  };
}
