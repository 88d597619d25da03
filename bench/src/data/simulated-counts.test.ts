import { expect, test } from 'vitest';
import { simulatedGroups, simulatedRows } from './simulated-counts.ts';

test('simulated cells have whole counts of rising genes, a tenth of them detected or less, and groups of unlike size', () => {
  const request = { cells: 300, genes: 20_000 };
  const groups = new Int8Array(request.cells);
  const blocks = [...simulatedRows(request, groups)];
  let cells = 0;
  for (const { indptr, indices, values } of blocks) {
    for (let cell = 0; cell + 1 < indptr.length; cell++, cells++) {
      const [start, end] = [indptr[cell]!, indptr[cell + 1]!];
      const genes = indices.subarray(start, end);
      expect(genes).toEqual(genes.toSorted());
      expect(new Set(genes).size).toBe(genes.length);
      expect(values.slice(start, end)).not.toContain(0);
      expect(genes.length).toBeGreaterThan(100);
    }
  }
  expect(cells).toBe(request.cells);
  const detected = blocks.reduce((sum, { indices }) => sum + indices.length, 0) / cells;
  expect(detected).toBeGreaterThan(800);
  expect(detected).toBeLessThan(1200);
  const sizes = Array.from(
    { length: simulatedGroups },
    (_, group) => groups.filter((one) => one === group).length,
  );
  expect(sizes[0]).toBeGreaterThan(2 * sizes.at(-1)!);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
});

test('the same request gives the same counts', () => {
  const request = { cells: 30, genes: 500 };
  expect([...simulatedRows(request)]).toEqual([...simulatedRows(request)]);
});
