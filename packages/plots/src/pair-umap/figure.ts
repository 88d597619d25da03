import { countText, type CellMask, type Embedding, type GeneColumn, percentText } from '@cellfolio/model';
import { checkGene, defaultUnits, FigureInputError } from '../drawing/checked-input.ts';
import { outsideGrey } from '../drawing/colour/ramps.ts';
import { expressionOf } from '../drawing/expression-domain.ts';
import type { Drawing, Figure } from '../drawing/figure.ts';
import { shuffledOrder, type PointLayer } from '../drawing/raster/point-layer.ts';
import { frameText, scatterFrame } from '../drawing/scatter-frame.ts';
import { fitBarScatter } from '../drawing/scene/bar-scatter-scene.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { themedInk } from '../drawing/themed-ink.ts';
import { plot } from '../plot.ts';
import type { MapShown } from '../shown.ts';
import { lowestExpressed } from './complex.ts';
import { type pairUmapContent, sideName } from './content.ts';
import { pairUmapScene, type PairSide, type PairUmapSpec } from './scene.ts';
import { pairLevel, pairShade } from './groups.ts';
import { pairShades } from './shades.ts';

interface NamedGene {
  readonly symbol: string;
  readonly gene: GeneColumn;
  readonly unit?: string;
}

interface PairUmapInput {
  readonly embedding: Embedding;
  /** At least one gene each. */
  readonly first: readonly NamedGene[];
  readonly second: readonly NamedGene[];
  readonly datasetName: string;
  /** Cells counted and coloured; the others are a faint silhouette. */
  readonly mask?: CellMask;
  readonly shown?: MapShown;
}

interface PairColumns {
  readonly embedding: Embedding;
  readonly shades: Uint8Array;
  readonly mask?: CellMask;
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
  readonly column: GeneColumn;
  readonly side: PairSide;
  readonly withoutValue: number;
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
