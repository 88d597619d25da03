import type { DoubletGroup } from '@cellfolio/model';
import { describe, expect, test } from 'vitest';
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
const cautionsOf = (...of: Parameters<typeof record>) => doubletCautions(record(...of));

test('one warning names samples whose doublets cannot be detected, with their shares and a remedy', () => {
  const [caution, ...others] = cautionsOf([
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

test('for a threshold that was set a caution gives the direction of a change and no other value', () => {
  const few = cautionsOf([group('A', { threshold: 0.3, detectable: 0.02 })], 0.3);
  expect(few.map(({ message }) => message)).toEqual([
    'Most doublets were not called in A (2.0 %): only that share of simulated doublets scores above the threshold of 0.3 that was set. A smaller one calls more, doublets and single cells alike.',
  ]);
  const many = cautionsOf([group('A', { threshold: 0.05, detectable: 0.9, called: 400 })], 0.05);
  expect(many.map(({ code, message }) => [code, message])).toEqual([
    [
      'many-doublets',
      'More cells were called doublets than a machine produces: A (400 of 1,000). Cell types may form a continuum; set a higher threshold, or mark doublets without removing them (--doublets mark).',
    ],
  ]);
});

test('cautions name samples without a threshold, with few cells or few variable genes, many by the first names', () => {
  const names = Array.from({ length: 7 }, (_, at) => `S${at}`);
  const codes = cautionsOf([
    ...names.map((sample) => group(sample, {})),
    group('few', { cells: 30, skipped: 'few-cells' }),
    group('flat', { skipped: 'few-variable-genes' }),
  ]);
  expect(codes.map(({ message }) => message)).toEqual([
    'Doublets were not detected in few (30 cells): 50 cells are needed.',
    'Doublets were not detected in flat: too few genes vary.',
    'No doublet was called in S0, S1, S2, S3, S4 and 2 more: the scores of simulated doublets do not have two modes to separate. To call some, set a threshold of doublet scores by their histograms (Process Again, or --doublet-threshold).',
  ]);
  expect(doubletCautions(undefined)).toEqual([]);
});

describe('clusters of doublets', () => {
  /** 100 cells, the last ten of which are cluster 1; the first was removed. */
  const keptCells = Int32Array.from({ length: 99 }, (_, at) => at + 1);
  const clusters = Int32Array.from(keptCells, (cell) => (cell < 90 ? 0 : 1));
  const suspectClusters = (score: number, called: number) =>
    doubletClusters({
      doublets: {
        scores: Float64Array.from({ length: 100 }, (_, cell) =>
          cell < 90 ? 0.02 + (cell % 5) / 500 : score,
        ),
        called: Uint8Array.from({ length: 100 }, (_, cell) => Number(cell >= 100 - called)),
        groups: [],
      },
      clusters,
      clusterCount: 2,
      keptCells,
    });

  test('a cluster of which most cells are predicted doublets is named with both numbers', () => {
    const [caution, ...others] = suspectClusters(0.5, 6);
    expect(others).toEqual([]);
    expect(caution).toMatchObject({
      code: 'clusters-of-doublets',
      numbers: { clusters: ['1'], cells: [10], doublets: [6], scores: [0.5] },
    });
    expect(caution?.message).toMatch(
      /^Probably doublets: cluster 1 \(6 of 10 cells called, median score 0\.5\); the median score of all cells is 0\.024\./,
    );
  });

  test('one whose scores are outliers is named although none of its cells was called', () => {
    expect(suspectClusters(0.15, 0)[0]?.numbers).toMatchObject({ clusters: ['1'], doublets: [0] });
  });

  test('others are not named, nor one whose scores are low', () => {
    expect(suspectClusters(0.09, 0)).toEqual([]);
    expect(suspectClusters(0.024, 5)).toEqual([]);
  });
});
