import type { DoubletGroup } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { doubletCautions, doubletClusters } from './doublet-words.ts';

const group = (sample: string, more: Partial<DoubletGroup>): DoubletGroup => ({
  sample,
  cells: 1000,
  called: 0,
  ...more,
});
const record = (groups: readonly DoubletGroup[], threshold?: number) => ({
  action: 'removed' as const,
  called: 0,
  ...(threshold !== undefined && { threshold }),
  groups,
});
const told = (...of: Parameters<typeof record>) => doubletCautions(record(...of));

test('samples whose doublets cannot be told are warned of once, with their shares and what can be done', () => {
  const [caution, ...others] = told([
    group('A', { threshold: 0.343, detectable: 0.00225 }),
    group('B', { threshold: 0.2, detectable: 0.5, called: 60 }),
    group('C', { threshold: 0.303, detectable: 0.0038 }),
  ]);
  expect(others).toEqual([]);
  expect(caution).toEqual({
    code: 'doublets-not-detectable',
    message:
      'Most doublets were not called in A (0.2 %), C (0.4 %): only that share of simulated doublets scores above the threshold that was found. Cells of few counts or few types have such scores. To call more, set a threshold of doublet scores by their histograms (Process Again, or --doublet-threshold).',
    numbers: {
      samples: ['A', 'C'],
      cells: [1000, 1000],
      called: [0, 0],
      thresholds: [0.343, 0.303],
      detectable: [0.00225, 0.0038],
    },
  });
});

test('of a threshold that was set no other is told to be set, but which way to change it', () => {
  const few = told([group('A', { threshold: 0.3, detectable: 0.02 })], 0.3);
  expect(few.map(({ message }) => message)).toEqual([
    'Most doublets were not called in A (2.0 %): only that share of simulated doublets scores above the threshold of 0.3 that was set. A smaller one calls more, doublets and single cells alike.',
  ]);
  const many = told([group('A', { threshold: 0.05, detectable: 0.9, called: 400 })], 0.05);
  expect(many.map(({ code, message }) => [code, message])).toEqual([
    [
      'many-doublets',
      'More cells were called doublets than a machine makes: A (400 of 1,000). Types of cells may pass into each other; set a greater threshold, or mark doublets and remove none (--doublets mark).',
    ],
  ]);
});

test('samples that have no threshold, few cells or few variable genes are each told of, many by the first names', () => {
  const names = Array.from({ length: 7 }, (_, at) => `S${at}`);
  const codes = told([
    ...names.map((sample) => group(sample, {})),
    group('few', { cells: 30, skipped: 'few-cells' }),
    group('flat', { skipped: 'few-variable-genes' }),
  ]);
  expect(codes.map(({ message }) => message)).toEqual([
    'Doublets were not looked for in few (30 cells): 50 cells are needed.',
    'Doublets were not looked for in flat: too few genes vary.',
    'No doublet was called in S0, S1, S2, S3, S4 and 2 more: the scores of simulated doublets have no two modes to draw a line between. To call some, set a threshold of doublet scores by their histograms (Process Again, or --doublet-threshold).',
  ]);
  expect(doubletCautions(undefined)).toEqual([]);
});

test('a cluster of which most cells are predicted doublets is named with both numbers, others are not', () => {
  const called = Uint8Array.of(1, 1, 1, 0, 0, 1, 0, 0, 1);
  const report = { scores: new Float64Array(9), called, groups: [] };
  // The first cell was not kept.
  const keptCells = Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const clusters = Int32Array.of(1, 1, 1, 0, 0, 0, 0, -1);
  const [caution, ...others] = doubletClusters({ doublets: report, clusters, clusterCount: 2, keptCells });
  expect(others).toEqual([]);
  expect(caution).toMatchObject({
    code: 'clusters-of-doublets',
    numbers: { clusters: ['1'], cells: [3], doublets: [2] },
  });
  expect(caution?.message).toMatch(/^Mostly predicted doublets: cluster 1 \(2 of 3 cells\)\./);
  const none = { ...report, called: new Uint8Array(9) };
  expect(doubletClusters({ doublets: none, clusters, clusterCount: 2, keptCells })).toEqual([]);
});
