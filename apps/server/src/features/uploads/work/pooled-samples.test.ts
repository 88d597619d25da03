import { expect, test } from 'vitest';
import { pooledSamples } from './pooled-samples.ts';

const names = ['deep', 'shallow', 'empty'];
const codes = Int32Array.from([0, 0, 0, 1, 1, -1, 2]);
const totals = [4000, 5000, 4400, 900, 1100, 10_000, 20];

test('samples of unequal depth that were called together are told with their medians', () => {
  const [caution, ...others] = pooledSamples(totals, Int32Array.from([0, 1, 2, 3, 4, 5]), { codes, names });
  expect(others).toEqual([]);
  expect(caution).toMatchObject({
    code: 'droplets-called-together',
    numbers: {
      samples: 2,
      leastSample: 'shallow',
      leastMedian: 1100,
      leastCells: 2,
      mostSample: 'deep',
      mostMedian: 4400,
      mostCells: 3,
    },
  });
  expect(caution!.message).toContain('a median of 1,100 counts in shallow (2 cells)');
});

test('nothing is said of one sample, of none, and of samples of like depth', () => {
  const cells = Int32Array.from([0, 1, 2]);
  expect(pooledSamples(totals, cells, { codes, names })).toEqual([]);
  expect(pooledSamples(totals, cells, undefined)).toEqual([]);
  expect(pooledSamples([4000, 4100, 4200], cells, { codes: Int32Array.from([0, 1, 1]), names })).toEqual([]);
});
