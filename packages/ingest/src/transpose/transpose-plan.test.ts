import { expect, test } from 'vitest';
import { cutRows, planTranspose, planReread } from './transpose-plan.ts';

const mib = 2 ** 20;
const atlas = { geneCount: 20_000, longestRow: 9_000, normalise: false, valueBytes: 4, threads: 2 } as const;

test('a large matrix is sorted in two threads through files', () => {
  expect(planTranspose({ ...atlas, entryCount: 160e6, memoryBudget: 512 * mib })).toEqual({
    threads: 2,
    spill: 'file',
    batchEntries: 4_194_304,
    gatherEntries: 2_097_152,
    sortBytes: 2 * 4_194_304 * 15,
    gatherBytes: 2 * 2_097_152 * 20,
  });
});

test('a small matrix stays in memory and in the calling thread', () => {
  const plan = planTranspose({ ...atlas, entryCount: 174_400, memoryBudget: 512 * mib });
  expect(plan).toMatchObject({ threads: 0, spill: 'memory', batchEntries: 174_400 });
});

test.each([1e5, 4e6, 160e6, 1.6e9, 1e11])('buffers for %d entries stay within the budget', (entryCount) => {
  for (const normalise of [false, true]) {
    for (const valueBytes of [4, 8] as const) {
      for (const mebibytes of [8, 32, 128, 512, 4096]) {
        const memoryBudget = mebibytes * mib;
        const plan = planTranspose({ ...atlas, entryCount, normalise, valueBytes, memoryBudget });
        expect(Math.max(plan.sortBytes, plan.gatherBytes)).toBeLessThanOrEqual(memoryBudget);
      }
    }
  }
});

test('a row that is longer than the budget allows is still held whole', () => {
  const plan = planTranspose({ ...atlas, entryCount: 1e8, longestRow: 5_000_000, memoryBudget: 8 * mib });
  expect(plan.batchEntries).toBe(5_000_000);
});

test('rows are cut into batches by entries and by number', () => {
  expect(cutRows(Float64Array.of(0, 3, 6, 9, 12), 7, 10)).toEqual([0, 2, 4]);
  expect(cutRows(Float64Array.of(0, 3, 6, 9, 12), 100, 3)).toEqual([0, 3, 4]);
  expect(cutRows(Float64Array.of(0, 9, 10), 5, 10)).toEqual([0, 1, 2]);
  expect(cutRows(Float64Array.of(0, 0, 0), 5, 10)).toEqual([0, 2]);
});

const rereadAtlas = {
  geneCount: 20_000,
  cellCount: 100_000,
  entryCount: 160e6,
  longestRow: 9_000,
  memoryBudget: 640 * mib,
  storedBytes: 1280e6,
  availableMemory: 8192 * mib,
  threads: 2,
} as const;

test('a matrix that memory holds by halves is read twice', () => {
  const plan = planReread(rereadAtlas)!;
  expect(plan.blockEntries).toBe(80_000_000 + 100_000);
  expect(plan.sliceEntries).toBe(1_048_576);
});

test.each([5e6, 160e6, 1.6e9])(
  'buffers for %d entries stay within the budget, or none are made',
  (entryCount) => {
    const planned = [8, 64, 512, 4096].map((mebibytes) => {
      const memoryBudget = mebibytes * mib;
      const plan = planReread({ ...rereadAtlas, entryCount, memoryBudget });
      expect(plan?.bytes ?? 0).toBeLessThanOrEqual(memoryBudget);
      return plan !== undefined;
    });
    expect(planned[0]).toBe(false);
    expect(planned.at(-1)).toBe(true);
  },
);

test('what the system cannot keep in memory is not read again and again', () => {
  expect(planReread({ ...rereadAtlas, availableMemory: 2048 * mib })).toBeUndefined();
});
