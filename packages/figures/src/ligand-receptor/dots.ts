import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { meanRamp } from '../drawing/gene-matrix/scales.ts';
import { arrow, labelGridLayout } from '../drawing/label-grid/layout.ts';
import { labelGridDrawing } from '../drawing/label-grid/scene.ts';
import { categoryLabel, categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { ligandReceptorDotsContent } from './content.ts';
import type { InteractionsInput, LigandReceptorDotsSpec } from './spec.ts';

export const maxPairs = 24;
export const maxColumns = 24;

type Named = Readonly<Record<'source' | 'target' | 'ligand' | 'receptor', string>>;

interface DotsInput extends InteractionsInput, Pick<FigureSetting, 'datasetName'> {
  /** Interactions to draw, in order; default those with the smallest p-values. */
  wanted?: readonly Named[] | undefined;
}

const drawing = labelGridDrawing<LigandReceptorDotsSpec>();

/**
 * The most significant interactions: pairs by pairs of groups, with every tested crossing. Areas grow with −log10 p, up
 * to that of one permutation. Throws FigureInputError for columns of unequal length, or an unknown group or pair.
 */
export function ligandReceptorDotsFigure(input: DotsInput): Figure<LigandReceptorDotsSpec> {
  checkInteractions(input);
  const { means, pValues, permutations, threshold } = input;
  const groups = categoryLabels(input.groups.map(({ label }) => label));
  const ordered = input.wanted ? namedRows(input, input.wanted) : bySurety(input);
  const { rows, columns, cells } = gridOf(input, ordered);
  const values = cells.map((row) => (row < 0 ? null : means[row]!));
  const shown = values.filter((value) => value !== null);
  const pairText = (pair: number) => {
    const { ligand, receptor } = input.pairs[pair]!;
    return { ligand: categoryLabel(ligand), receptor: categoryLabel(receptor) };
  };
  const significant = pValues.reduce((count, p) => count + (p < threshold ? 1 : 0), 0);
  const spec: LigandReceptorDotsSpec = {
    version: 1,
    kind: 'ligand-receptor-dots',
    title: 'Ligand–receptor pairs',
    subtitle: cleanLabel(input.pairSet),
    datasetName: cleanLabel(input.datasetName),
    summary: `${countText(significant)} of ${countText(pValues.length)} interactions have p < ${threshold}`,
    size: { width: 0, height: 0 },
    rowTitle: 'ligand – receptor',
    columnTitle: `source → target (${cleanLabel(input.groupTitle)})`,
    rowStyle: 'italic',
    rows: rows.map((pair) => `${pairText(pair).ligand} – ${pairText(pair).receptor}`),
    columns: columns.map(([source, target]) => `${groups[source]!}${arrow}${groups[target]!}`),
    values,
    valueTitle: ['Mean of ligand', 'and receptor'],
    domain: [Math.min(0, ...shown), Math.max(0, ...shown)],
    areas: cells.map((row) => (row < 0 ? 0 : areaOf(pValues[row]!, permutations))),
    sizes: { title: ['p-value of the', 'permutations'], entries: sizeEntries(permutations) },
    nothing: 'No pair is expressed in two groups.',
    colours: { ramp: meanRamp },
    best: Array.from(ordered)
      .filter((row) => rows.includes(input.pairOf[row]!))
      .slice(0, maxPairs)
      .map((row) => {
        const { ligand, receptor } = pairText(input.pairOf[row]!);
        const [source, target] = [groups[input.sources[row]!]!, groups[input.targets[row]!]!];
        return { source, target, ligand, receptor, mean: means[row]!, p: pValues[row]! };
      }),
    threshold,
    passing: significant,
    tested: pValues.length,
    permutations,
    ...(input.cautions && { cautions: input.cautions }),
  };
  return { spec: { ...spec, size: labelGridLayout(spec).size }, columns: {}, drawing };
}

export function checkInteractions({ groups, pairs, ...columns }: InteractionsInput): void {
  const { sources, targets, pairOf, means, pValues } = columns;
  for (const column of [targets, pairOf, means, pValues]) {
    if (column.length !== sources.length) {
      throw new FigureInputError('interactions', `columns of ${sources.length} and ${column.length} rows`);
    }
  }
  for (let row = 0; row < sources.length; row++) {
    const isKnown =
      sources[row]! < groups.length && targets[row]! < groups.length && pairOf[row]! < pairs.length;
    if (!isKnown) throw new FigureInputError('interactions', `row ${row} names no group or pair`);
    if (!(pValues[row]! >= 0 && pValues[row]! <= 1)) {
      throw new FigureInputError('interactions', `the p of row ${row} is ${pValues[row]!}`);
    }
  }
}

/** Area relative to the largest dot: 0 for p = 1, 1 if at most one permutation was as high. */
function areaOf(p: number, permutations: number): number {
  return Math.min(1, -Math.log10(Math.max(p, 1 / permutations)) / Math.log10(permutations));
}

function sizeEntries(permutations: number) {
  const minP = 1 / permutations;
  const entries = [1, 0.1, 0.01].filter((p) => p > 1.5 * minP).map((p) => [valueText(p), p] as const);
  return [...entries, [`≤ ${valueText(minP)}`, minP] as const].map(([label, p]) => ({
    label,
    area: areaOf(p, permutations),
  }));
}

function bySurety({ pValues, means }: InteractionsInput): Uint32Array {
  return Uint32Array.from(pValues, (_, row) => row).sort(
    (one, other) => pValues[one]! - pValues[other]! || means[other]! - means[one]! || one - other,
  );
}

function namedRows(input: InteractionsInput, requested: readonly Named[]): Uint32Array {
  const keyOf = ({ source, target, ligand, receptor }: Named) =>
    JSON.stringify([source, target, ligand, receptor]);
  const rowOf = new Map(
    Array.from(input.pairOf, (pair, row) => [
      keyOf({
        source: input.groups[input.sources[row]!]!.label,
        target: input.groups[input.targets[row]!]!.label,
        ...input.pairs[pair]!,
      }),
      row,
    ]),
  );
  return Uint32Array.from(requested.flatMap((named) => rowOf.get(keyOf(named)) ?? []));
}

function gridOf({ sources, targets, pairOf, groups }: InteractionsInput, ordered: Uint32Array) {
  const columnOf = (row: number) => sources[row]! * groups.length + targets[row]!;
  const [pairs, columns] = [new Set<number>(), new Set<number>()];
  for (const row of ordered) {
    const hasRoom =
      (pairs.has(pairOf[row]!) || pairs.size < maxPairs) &&
      (columns.has(columnOf(row)) || columns.size < maxColumns);
    if (!hasRoom) continue;
    pairs.add(pairOf[row]!);
    columns.add(columnOf(row));
    if (pairs.size === maxPairs && columns.size === maxColumns) break;
  }
  const placeOfPair = new Map([...pairs].map((pair, place) => [pair, place]));
  const rising = [...columns].toSorted((one, other) => one - other);
  const placeOfColumn = new Map(rising.map((column, place) => [column, place]));
  const cells = new Array<number>(pairs.size * columns.size).fill(-1);
  for (let row = 0; row < sources.length; row++) {
    const [pair, column] = [placeOfPair.get(pairOf[row]!), placeOfColumn.get(columnOf(row))];
    if (pair !== undefined && column !== undefined) cells[pair * columns.size + column] = row;
  }
  return {
    rows: [...pairs],
    columns: rising.map((column) => [Math.floor(column / groups.length), column % groups.length] as const),
    cells,
  };
}

export const ligandReceptorDots = plot<typeof ligandReceptorDotsContent>(
  'ligand-receptor-dots',
  ({ interactions }, { datasetName }, { interactions: wanted }) =>
    ligandReceptorDotsFigure({ ...interactions, datasetName, wanted }),
);
