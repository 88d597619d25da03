import { countText, type CellMask, type Embedding, type GeneColumn, percentText } from '@cellfolio/model';
import { checkGene, defaultUnits, FigureInputError } from '../drawing/checked-input.ts';
import { outsideGrey } from '../drawing/colour/ramps.ts';
import { expressionOf } from '../drawing/expression-domain.ts';
import type { Drawing, Figure, ScatterSpec } from '../drawing/figure.ts';
import { shuffledOrder, type PointLayer } from '../drawing/raster/point-layer.ts';
import { frameText, scatterFrame } from '../drawing/scatter-frame.ts';
import { fitBarScatter } from '../drawing/scene/bar-scatter-scene.ts';
import { cleanLabel, ellipsised, wrappedLines } from '../drawing/text/fit-text.ts';
import { themedInk } from '../drawing/themed-ink.ts';
import { plot } from '../plot.ts';
import type { MapShown } from '../shown.ts';
import { dotSize, legendEntry, widestCount } from '../drawing/scene/legend-layout.ts';
import { arrowGutter, axisArrows, fittedPanel, heading, isTiny, panelTop } from '../drawing/scene/panel.ts';
import type { Mark, Scene, TextMark } from '../drawing/scene/scene.ts';
import { inkColour, margin, smallSize, softInk } from '../drawing/scene/style.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import type { SpecOf } from '../plot-words.ts';
import { lowestExpressed } from './complex.ts';
import { type pairUmapContent, sideName } from './content.ts';
import { pairLevel, pairShade, pairGroups, pairLevels } from './groups.ts';
import { pairShades } from './shades.ts';
import type { pairUmapWords } from './words.ts';

interface PairSide {
  label: string;
  /** Value of the last level; 0 if no cell expresses it. */
  high: number;
  max: number;
  /** True if values above `high` take the last level. */
  clipped: boolean;
  expressing: number;
}

interface PairUmapSpec extends SpecOf<typeof pairUmapWords, 'first' | 'second', ScatterSpec> {
  first: PairSide;
  second: PairSide;
  colours: { shades: readonly string[]; outside: string };
}

const largestStep = 16;
const smallestStep = 8;
const width = 184;
const gap = 16;
const rowHeight = 20;
const keyTop = 12;

function pairUmapScene(spec: PairUmapSpec): Scene {
  if (isTiny(spec)) return { ...spec.size, panel: fittedPanel(spec, 0), marks: [] };
  const top = panelTop(spec);
  const panel = {
    x: margin + arrowGutter,
    y: top,
    width: spec.size.width - 2 * margin - arrowGutter - width - gap,
    height: spec.size.height - top - margin - arrowGutter,
  };
  return {
    ...spec.size,
    panel,
    marks: [...heading(spec, 'semibold-italic'), ...axisArrows(panel, spec), ...legend(spec, top)],
  };
}

function legend(spec: PairUmapSpec, top: number): Mark[] {
  const { first, second, size, colours } = spec;
  const groups = pairGroups(spec);
  const unit = wrappedLines(spec.unit, width, smallSize);
  // Below the square: the ends of its scale, the name, the unit and the counts, as far as there is room.
  const below = 2 * rowHeight + unit.length * rowHeight;
  const room = size.height - top - keyTop - margin - below;
  const step = Math.max(smallestStep, Math.min(largestStep, Math.floor(room / pairLevels)));
  const side = step * pairLevels;
  const x = size.width - margin - side;
  const y = top + keyTop;
  const left = size.width - margin - width;
  const squares = Array.from({ length: pairLevels ** 2 }, (_, place): Mark => {
    const [right, up] = [Math.floor(place / pairLevels), place % pairLevels];
    return {
      kind: 'rectangle',
      x: x + right * step,
      y: y + (pairLevels - 1 - up) * step,
      width: step,
      height: step,
      colour: colours.shades[pairShade(right, up)]!,
    };
  });
  const text = { kind: 'text', size: smallSize, style: 'regular', colour: inkColour, anchor: 'end' } as const;
  const name = { ...text, style: 'italic', anchor: 'middle' } as const;
  const bottom = y + side;
  const entriesAt = bottom + below + 6;
  const marks: Mark[] = [
    ...squares,
    { ...text, text: endText(second), x: x - 6, y: y + 11 },
    { ...text, text: '0', x: x - 6, y: bottom + 17 },
    { ...text, text: endText(first), x: x + side, y: bottom + 17 },
    named(second, side + 2 * keyTop, {
      ...name,
      x: x - 6 - Math.max(textWidth(endText(second), smallSize), 24) - 8,
      y: y + side / 2,
      upright: true,
    }),
    named(first, width, { ...name, anchor: 'end', x: size.width - margin, y: bottom + 17 + rowHeight }),
    ...unit.flatMap((line, i): Mark[] => [
      { ...text, text: line, x: size.width - margin, y: bottom + 17 + (2 + i) * rowHeight, colour: softInk },
    ]),
  ];
  if (entriesAt + groups.length * rowHeight > size.height - margin) return marks;
  const labelRoom = width - 2 * dotSize - 18 - widestCount(groups);
  const names = fittedNames(
    groups.map(({ label }) => label),
    labelRoom,
    smallSize,
  );
  return [
    ...marks,
    ...groups.flatMap((group, at) =>
      legendEntry(group, [names[at]!], {
        x: left,
        y: entriesAt + at * rowHeight,
        width,
        height: rowHeight,
      }),
    ),
  ];
}

function named({ label }: PairSide, room: number, mark: Omit<TextMark, 'text' | 'full'>): TextMark {
  const text = ellipsised(label, room, smallSize, mark.style);
  return { ...mark, text, ...(text !== label && { full: label }) };
}

function endText({ high, clipped }: PairSide): string {
  return `${clipped ? '≥ ' : ''}${valueText(high)}`;
}

interface NamedGene {
  symbol: string;
  gene: GeneColumn;
  unit?: string;
}

interface PairUmapInput {
  embedding: Embedding;
  /** At least one gene each. */
  first: readonly NamedGene[];
  second: readonly NamedGene[];
  datasetName: string;
  /** Cells counted and coloured; the others are a faint silhouette. */
  mask?: CellMask;
  shown?: MapShown;
}

interface PairColumns {
  embedding: Embedding;
  shades: Uint8Array;
  mask?: CellMask;
}

/**
 * Two genes or complexes on an embedding, each in its own colour, with a third for cells that have both. For a complex
 * the least expressed subunit counts in each cell, as in CellPhoneDB's groups. Colours run from 0 to the maximum, or to
 * the 99.5th percentile if a few cells are far above. Throws FigureInputError if the columns do not describe the same
 * cells.
 */
export function pairUmapFigure(input: PairUmapInput): Figure<PairUmapSpec, PairColumns> {
  const { embedding, mask } = input;
  const [first, second] = [measured(input.first, mask), measured(input.second, mask)];
  const { cellCount } = first.column;
  if (second.column.cellCount !== cellCount) {
    throw new FigureInputError('second', `the genes hold ${cellCount} and ${second.column.cellCount} cells`);
  }
  const frame = scatterFrame(embedding, cellCount, input);
  const [levels, others] = [levelsOf(first), levelsOf(second)];
  const shades = levels.map((level, cell) => pairShade(level, others[cell]!));
  const { both, neither } = counted(levels, others, mask);
  const withoutValue = first.withoutValue + second.withoutValue;
  const { cells } = frame.counts;
  const spec: PairUmapSpec = {
    version: 1,
    kind: 'pair-umap',
    title: cleanLabel(`${first.side.label} and ${second.side.label}`),
    datasetName: cleanLabel(input.datasetName),
    summary: [
      `${countText(both)} of ${countText(cells)} cells express both (${percentText(both, cells)})`,
      ...(withoutValue > 0 ? [`${countText(withoutValue)} values are no numbers`] : []),
      ...frameText(frame),
    ].join(' · '),
    size: { width: 600, height: 500 },
    ...frame,
    order: 'expressing-on-top',
    unit: cleanLabel(input.first[0]?.unit ?? defaultUnits.gene),
    first: first.side,
    second: second.side,
    both,
    neither,
    withoutValue,
    colours: { shades: pairShades('light'), outside: outsideGrey },
  };
  return { spec, columns: { embedding, shades, ...(mask && { mask }) }, drawing };
}

interface MeasuredSide {
  column: GeneColumn;
  side: PairSide;
  withoutValue: number;
}

function measured(genes: readonly NamedGene[], mask: CellMask | undefined): MeasuredSide {
  for (const { gene } of genes) checkGene(gene);
  const column = lowestExpressed(genes.map(({ gene }) => gene));
  const { expressing, withoutValue, domain } = expressionOf(column, mask);
  const { high, max, clipped } = domain;
  const label = cleanLabel(sideName(genes.map(({ symbol }) => symbol)));
  return { column, side: { label, high, max, clipped, expressing }, withoutValue };
}

function levelsOf({ column, side }: MeasuredSide): Uint8Array {
  const { cells, values, cellCount } = column;
  const levels = new Uint8Array(cellCount);
  for (let i = 0; i < cells.length; i++) {
    const value = values[i]!;
    if (Number.isFinite(value)) levels[cells[i]!] = pairLevel(value, side.high);
  }
  return levels;
}

function counted(
  first: Uint8Array,
  second: Uint8Array,
  mask: CellMask | undefined,
): { both: number; neither: number } {
  let [both, neither] = [0, 0];
  for (let cell = 0; cell < first.length; cell++) {
    if (mask !== undefined && mask.bits[cell] !== 1) continue;
    if (first[cell]! > 0 && second[cell]! > 0) both++;
    else if (first[cell] === 0 && second[cell] === 0) neither++;
  }
  return { both, neither };
}

const drawing: Drawing<PairUmapSpec, PairColumns> = {
  scene: pairUmapScene,
  points: (figure) => [pointLayer(figure)],
  fit: (spec, size) => fitBarScatter(spec, size, pairUmapScene),
  dark: ({ colours }) => ({
    colours: { shades: pairShades('dark'), outside: themedInk(colours.outside, 'dark') },
  }),
};

function pointLayer({
  spec,
  columns: { shades, mask },
}: {
  spec: PairUmapSpec;
  columns: PairColumns;
}): PointLayer {
  const cellInk = shades.map((shade, cell) => (mask === undefined || mask.bits[cell] === 1 ? 1 + shade : 0));
  return {
    inks: [spec.colours.outside, ...spec.colours.shades],
    cellInk,
    order: shuffledOrder(cellInk, 2).order,
  };
}

export const pairUmap = plot<typeof pairUmapContent>(
  'pair-umap',
  ({ embedding, first, second }, { range, ...setting }) => {
    if (range !== undefined)
      throw new FigureInputError('range', 'A map of two genes has two scales and no single range.');
    return pairUmapFigure({ ...setting, embedding, first, second });
  },
);
