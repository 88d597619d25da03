import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Hdf5File } from '../hdf5/hdf5-file.ts';
import { matrixLayout } from '../layout/matrix-layout.ts';
import { TransposedMatrix } from './transpose-matrix.ts';

const path = join(import.meta.dirname, '../../fixtures/late-fraction.h5ad');
let spillFolder = '';
beforeAll(() => {
  spillFolder = mkdtempSync(join(tmpdir(), 'cellfolio-transpose-'));
});
afterAll(() => rmSync(spillFolder, { recursive: true, force: true }));

async function transposed(options: { inlineEntries?: number; signal?: AbortSignal }) {
  const file = await Hdf5File.open(path);
  try {
    const layout = matrixLayout(file, 'X')!;
    const settings = { normalise: false, valueType: 'float32', threads: 2, memoryBudget: 2 ** 21 } as const;
    const matrix = await TransposedMatrix.read(file, layout, { ...settings, spillFolder, ...options });
    const cells: number[] = [];
    const values: number[] = [];
    try {
      // The files that batches wait in have no names: nothing is left to clean up.
      expect(readdirSync(spillFolder)).toEqual([]);
      const writer = {
        async write(someCells: Int32Array, someValues: ArrayLike<number>) {
          for (const cell of someCells) cells.push(cell);
          for (let i = 0; i < someValues.length; i++) values.push(someValues[i]!);
        },
        async close() {},
      };
      await matrix.write('expression', writer, {});
    } finally {
      await matrix.close();
    }
    return { plan: matrix.plan, indptr: [...matrix.indptr], cells, values };
  } finally {
    file.close();
  }
}

test('threads and the calling thread put the same matrix together, through files as through memory', async () => {
  const alone = await transposed({});
  const threads = await transposed({ inlineEntries: 0 });
  expect(alone.plan).toMatchObject({ threads: 0, spill: 'file' });
  expect(threads.plan).toMatchObject({ threads: 2, spill: 'file', batchEntries: 69_905 });
  expect(threads.indptr).toEqual(alone.indptr);
  expect(threads.cells).toEqual(alone.cells);
  expect(threads.values).toEqual(alone.values);
  expect(alone.indptr.at(-1)).toBe(400_000);
  // The one fraction is cell 300 of the first gene.
  expect(alone.values.findIndex((value) => value === 0.5)).toBe(300);
});

test('an aborted reading leaves no file and no thread', async () => {
  const reason = new Error('stop');
  await expect(transposed({ inlineEntries: 0, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(readdirSync(spillFolder)).toEqual([]);
});
