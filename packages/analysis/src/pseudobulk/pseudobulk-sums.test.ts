import type { GeneBlock } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { selectSamples } from './gene-sample-matrix.ts';
import { pseudobulkSamples, pseudobulkSums } from './pseudobulk-sums.ts';

const samples = { categories: ['P1', 'P2', 'P3'], codes: Int8Array.of(0, 0, 1, 1, 2, 0, 1, -1, 0) };
const groups = { categories: ['B', 'T'], codes: Int8Array.of(0, 0, 0, 0, 0, 1, 1, 1, -1) };
const block: GeneBlock = {
  cellCount: 9,
  firstGene: 5,
  starts: Float64Array.of(0, 9, 9, 13),
  cells: Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 3, 5, 7),
  values: Float32Array.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 1, 1, 1, 1),
};

test('counts are added up by sample within each group; cells without either count nowhere', () => {
  const selection = pseudobulkSamples(samples, groups, { minCells: 1 });
  expect(selection.sums).toEqual([
    { sample: 0, group: 0, cells: 2 },
    { sample: 1, group: 0, cells: 2 },
    { sample: 2, group: 0, cells: 1 },
    { sample: 0, group: 1, cells: 1 },
    { sample: 1, group: 1, cells: 1 },
  ]);
  expect(selection.leftOut).toEqual([]);
  const matrix = pseudobulkSums(block, selection);
  expect(matrix).toMatchObject({ geneCount: 3, sampleCount: 5 });
  expect(Array.from(matrix.values)).toEqual([3, 12, 16, 32, 64, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0]);
  expect(Array.from(selectSamples(matrix, [4, 1]).values)).toEqual([64, 12, 0, 0, 0, 1]);
});

test('counts past 2^24 are added up exactly', () => {
  const selection = pseudobulkSamples(samples, groups, { minCells: 1 });
  const values = Float64Array.from(block.values, (value) => value * 20_000_001);
  const [sums] = [pseudobulkSums({ ...block, values }, selection).values];
  expect(Array.from(sums)).toEqual(
    Array.from(pseudobulkSums(block, selection).values, (value) => value * 20_000_001),
  );
});

test('samples of too few cells are left out of the sums and listed, at ten by default', () => {
  const selection = pseudobulkSamples(samples, groups, { minCells: 2 });
  expect(selection.sums.map(({ sample }) => sample)).toEqual([0, 1]);
  expect(selection.leftOut).toEqual([
    { sample: 2, group: 0, cells: 1 },
    { sample: 0, group: 1, cells: 1 },
    { sample: 1, group: 1, cells: 1 },
  ]);
  expect(Array.from(pseudobulkSums(block, selection).values)).toEqual([3, 12, 0, 0, 1, 1]);
  const nine = { categories: ['P1'], codes: new Int8Array(9) };
  expect(pseudobulkSamples(nine, nine, { minCells: 10 }).leftOut).toEqual([
    { sample: 0, group: 0, cells: 9 },
  ]);
  const ten = { categories: ['P1'], codes: new Int8Array(10) };
  expect(pseudobulkSamples(ten, ten, { minCells: 10 }).sums).toEqual([{ sample: 0, group: 0, cells: 10 }]);
});

test('cells outside the mask count nowhere, not even towards the fewest cells', () => {
  const mask = { bits: Uint8Array.of(1, 0, 1, 1, 1, 1, 1, 1, 1), count: 8 };
  const selection = pseudobulkSamples(samples, groups, { minCells: 2, mask });
  expect(selection.sums).toEqual([{ sample: 1, group: 0, cells: 2 }]);
  expect(Array.from(pseudobulkSums(block, selection).values)).toEqual([12, 0, 1]);
});

test('columns, masks and genes of other cells are mistakes of the caller', () => {
  const shorter = { categories: ['B'], codes: new Int8Array(8) };
  expect(() => pseudobulkSamples(samples, shorter, { minCells: 1 })).toThrow(RangeError);
  const mask = { bits: new Uint8Array(3), count: 0 };
  expect(() => pseudobulkSamples(samples, groups, { minCells: 1, mask })).toThrow(RangeError);
  const selection = pseudobulkSamples(shorter, shorter, { minCells: 1 });
  expect(() => pseudobulkSums(block, selection)).toThrow(RangeError);
});
