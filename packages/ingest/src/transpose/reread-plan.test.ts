import { expect, test } from 'vitest';
import { planReread } from './reread-plan.ts';

const MIB = 2 ** 20;
const atlas = {
  geneCount: 20_000,
  cellCount: 100_000,
  entryCount: 160e6,
  longestRow: 9_000,
  memoryBudget: 640 * MIB,
  storedBytes: 1280e6,
  availableMemory: 8192 * MIB,
  threads: 2,
} as const;

test('a matrix that memory holds by fifths is read five times', () => {
  const plan = planReread(atlas)!;
  expect(plan.blockEntries).toBe(32_000_000 + 100_000);
  expect(plan.sliceEntries).toBe(1_048_576);
});

test.each([5e6, 160e6, 1.6e9])(
  'buffers for %d entries stay within the budget, or none are made',
  (entryCount) => {
    const planned = [8, 64, 512, 4096].map((mebibytes) => {
      const memoryBudget = mebibytes * MIB;
      const plan = planReread({ ...atlas, entryCount, memoryBudget });
      expect(plan?.bytes ?? 0).toBeLessThanOrEqual(memoryBudget);
      return plan !== undefined;
    });
    expect(planned[0]).toBe(false);
    expect(planned.at(-1)).toBe(true);
  },
);

test('what the system cannot keep in memory is not read again and again', () => {
  expect(planReread({ ...atlas, availableMemory: 2048 * MIB })).toBeUndefined();
});
