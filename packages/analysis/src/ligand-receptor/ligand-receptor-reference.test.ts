import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { cellGroups } from '../markers/cell-groups.ts';
import {
  blockOf,
  columnOf,
  float64,
  type Packed,
  readReference,
  type ReferenceDataset,
} from '../markers/testing/reference.ts';
import { groupExpression } from './group-expression.ts';
import { rankInteractions } from './interaction-ranks.ts';
import { findInteractions, scoreInteractions, TooManyInteractions } from './interactions.ts';
import { EntryCollector, TooManyValues } from './needed-entries.ts';
import { countAsHigh } from './permuted-means.ts';
import { resolvePairs } from './resolve-pairs.ts';

const reference = readReference<{
  permutations: number;
  seed: number;
  minCells: number;
  genes: readonly string[];
  matrix: ReferenceDataset['matrix'];
  column: ReferenceDataset['cases'][number]['column'];
  pairs: readonly (readonly [string, string])[];
  rows: readonly (readonly [source: string, target: string, ligand: string, receptor: string])[];
  scores: Readonly<Record<string, Packed>>;
}>(new URL('ligand-receptor-reference.json', import.meta.url));

const block = blockOf({ matrix: reference.matrix, cases: [] });
const { names, sizes, codes } = cellGroups(columnOf({ column: reference.column } as never));

function prepared() {
  const usedGroups = names.flatMap((_, group) => (sizes[group]! >= reference.minCells ? [group] : []));
  const cells = Array.from(codes.keys()).filter((cell) => usedGroups.includes(codes[cell]!));
  const placeOf = new Int32Array(block.cellCount).fill(-1);
  cells.forEach((cell, place) => (placeOf[cell] = place));
  const groups = {
    labels: Uint16Array.from(cells, (cell) => usedGroups.indexOf(codes[cell]!)),
    sizes: Float64Array.from(usedGroups, (group) => sizes[group]!),
  };
  const pairs = reference.pairs.map(([ligand, receptor]) => ({
    ligand: ligand.split('_'),
    receptor: receptor.split('_'),
    reference: '',
  }));
  const resolved = resolvePairs(pairs, (symbol) => {
    const row = reference.genes.indexOf(symbol);
    return row < 0 ? undefined : row;
  });
  const collector = new EntryCollector(placeOf, {
    cells: cells.length,
    genes: resolved.rows.length,
  });
  const each = (use: (cells: Int32Array, values: Float32Array, place: number) => void) =>
    resolved.rows.forEach((row, place) => {
      const [start, end] = [block.starts[row]!, block.starts[row + 1]!];
      use(block.cells.subarray(start, end), block.values.subarray(start, end), place);
    });
  each((...gene) => collector.count(gene[0], gene[1]));
  expect(() => collector.counted(10)).toThrow(TooManyValues);
  collector.counted(block.values.length);
  each((genes, values, place) => collector.take(place, genes, values));
  // As LIANA has it: over the genes that any cell has, in the cells of the groups that are compared.
  let sum = 0;
  block.values.forEach((value, at) => (sum += placeOf[block.cells[at]!]! < 0 ? 0 : value));
  const expressed = reference.genes.filter((_, gene) => block.starts[gene + 1]! > block.starts[gene]!).length;
  return {
    names: usedGroups.map((group) => names[group]!),
    pairs: reference.pairs,
    resolved,
    entries: collector.entries(),
    groups,
    matrixMean: sum / (cells.length * expressed),
  };
}

const inputs = prepared();
const expression = groupExpression(inputs.entries, inputs.groups);
const { interactions } = findInteractions(inputs.resolved.pairs, expression, { minShare: 0.1, max: 1e6 });
const scores = scoreInteractions(interactions, expression, inputs.matrixMean);
const permuted = {
  entries: inputs.entries,
  groups: inputs.groups,
  interactions,
  means: scores.means,
  seed: reference.seed,
};
const counts = countAsHigh(permuted, 0, reference.permutations);
const ranks = rankInteractions(counts, reference.permutations, scores);

const nameOf = (row: number) => {
  const [ligand, receptor] = inputs.pairs[inputs.resolved.pairs[interactions.pairs[row]!]!.pair]!;
  return [
    inputs.names[interactions.sources[row]!],
    inputs.names[interactions.targets[row]!],
    ligand,
    receptor,
  ];
};
const rowOf = new Map(Array.from(interactions.pairs.keys(), (row) => [nameOf(row).join('|'), row]));
const columns: Readonly<Record<string, Float64Array>> = {
  ligandMean: scores.ligandMeans,
  receptorMean: scores.receptorMeans,
  ligandShare: scores.ligandShares,
  receptorShare: scores.receptorShares,
  mean: scores.means,
  product: scores.products,
  logFoldChange: scores.logFoldChanges,
  lrScore: scores.lrScores,
  scaledWeight: scores.scaledWeights,
  specificity: scores.specificities,
  p: ranks.pValues,
  magnitudeRank: ranks.magnitudeRanks,
  specificityRank: ranks.specificityRanks,
};

test('the interactions that LIANA tests are tested, and no others', () => {
  expect(reference.rows.length).toBeGreaterThan(60);
  expect([...rowOf.keys()].toSorted()).toEqual(reference.rows.map((row) => row.join('|')).toSorted());
});

test.each(Object.keys(reference.scores))('%s is that of LIANA, of complexes too', (name) => {
  const expected = float64(reference.scores[name]!);
  const actual = reference.rows.map((row) => columns[name]![rowOf.get(row.join('|'))!]!);
  noteDifferences('ligand-receptor', actual, expected, 1);
  const wrong = reference.rows.flatMap((row, at) => {
    const [is, should] = [actual[at]!, expected[at]!];
    return Math.abs(is - should) <= 1e-6 * Math.max(1, Math.abs(should))
      ? []
      : [`${row.join('|')}: ${is} instead of ${should}`];
  });
  expect(wrong).toEqual([]);
});

test('permutations done in any parts, in any order, are the same permutations', () => {
  const parts = [
    [150, 200],
    [0, 1],
    [1, 150],
  ].map(([from, to]) => countAsHigh(permuted, from!, to!));
  expect(counts.map((_, row) => parts.reduce((sum, part) => sum + part[row]!, 0))).toEqual(counts);
  const other = countAsHigh({ ...permuted, seed: reference.seed + 1 }, 0, reference.permutations);
  expect(other).not.toEqual(counts);
});

test('adjusted p-values are of counts that are never nothing', () => {
  const { permutations } = reference;
  expect(ranks.pValues.includes(0)).toBe(true);
  const never0 = Float64Array.from(counts, (count) => (count + 1) / (permutations + 1));
  expect(ranks.adjustedPs).toEqual(benjaminiHochberg(never0));
  expect(Math.min(...ranks.adjustedPs)).toBeGreaterThan(0);
});

test('more interactions than a result holds are refused with their number', () => {
  const find = () => findInteractions(inputs.resolved.pairs, expression, { minShare: 0, max: 10 });
  expect(find).toThrow(TooManyInteractions);
});

test('labels of other cells are refused', () => {
  const groups = { ...inputs.groups, labels: new Uint16Array(3) };
  expect(() => groupExpression(inputs.entries, groups)).toThrow(RangeError);
  expect(() => countAsHigh({ ...permuted, groups }, 0, 1)).toThrow(RangeError);
});
