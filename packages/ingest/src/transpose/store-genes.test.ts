import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packStrings, type Table } from '@cellfolio/model';
import { createDatasetWriter, type MatrixWriter, StoreWriteFailed } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Hdf5File } from '../hdf5/hdf5-file.ts';
import { matrixLayout } from '../layout/matrix-layout.ts';
import { writeH5ad } from '../write-h5ad/write-h5ad.ts';
import type { GeneMajorMatrix } from './gene-major-matrix.ts';
import { RereadMatrix } from './reread-matrix.ts';
import { TransposedMatrix } from './transpose-matrix.ts';

const cellCount = 700;
const geneCount = 500;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cellfolio-store-genes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const named = (rowCount: number): Table => ({
  rowCount,
  indexName: '_index',
  index: packStrings(Array.from({ length: rowCount }, (_, i) => `${i}`)),
  columns: new Map(),
});

async function fileOf(format: 'csr' | 'csc'): Promise<string> {
  const path = join(folder, `${format}.h5ad`);
  const [rows, columns] = format === 'csr' ? [cellCount, geneCount] : [geneCount, cellCount];
  const indptr = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [cell, gene] = format === 'csr' ? [row, column] : [column, row];
      const hash = Math.imul(cell * 1009 + gene * 9176 + 7, 2_654_435_761) >>> 0;
      if (gene === 3 || hash % 3 !== 0) continue;
      indices.push(column);
      values.push(1 + (hash % 7));
    }
    indptr.push(indices.length);
  }
  const block = { indptr, indices: Int32Array.from(indices), values: Float32Array.from(values) };
  await writeH5ad(path, {
    obs: named(cellCount),
    var: named(geneCount),
    X: { format, dtype: 'float32', blocks: [block], valueCount: indices.length },
  });
  return path;
}

type Way = { read(...a: Parameters<typeof TransposedMatrix.read>): Promise<GeneMajorMatrix | undefined> };

async function handed(
  way: Way,
  format: 'csr' | 'csc',
  threads: boolean,
  use: (matrix: GeneMajorMatrix) => Promise<void>,
): Promise<void> {
  const file = await Hdf5File.open(await fileOf(format));
  try {
    const matrix = (await way.read(file, matrixLayout(file, 'X')!, {
      normalise: true,
      valueType: 'float32',
      threads: 2,
      memoryBudget: 3_600_000,
      availableMemory: 2 ** 30,
      spillFolder: join(folder, 'spill'),
      ...(threads && { inlineEntries: 0 }),
    }))!;
    try {
      await use(matrix);
    } finally {
      await matrix.close();
    }
  } finally {
    file.close();
  }
}

async function storedBytes(way: Way, format: 'csr' | 'csc', threads: boolean): Promise<unknown> {
  const root = mkdtempSync(join(folder, 'root-'));
  const writer = await createDatasetWriter(root, 'd');
  await handed(way, format, threads, async (matrix) => {
    const { indptr } = matrix;
    for (const [path, values] of [
      ['X', 'expression'],
      ['layers/counts', 'counts'],
    ] as const) {
      const valueType = path === 'X' ? 'float32' : 'int32';
      const into = await writer.matrix(path, { cellCount, geneCount, indptr, valueType });
      await matrix.write(values, into, {});
    }
  });
  const staged = join(root, 'incoming', readdirSync(join(root, 'incoming'))[0]!);
  const files = readdirSync(staged, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((path) => [path.slice(staged.length), readFileSync(path, 'latin1')] as const);
  await writer.discard();
  return files;
}

test('threads write the same bytes as the calling thread, however the matrix lies in the file', async () => {
  const alone = await storedBytes(TransposedMatrix, 'csr', false);
  expect((alone as unknown[]).length).toBeGreaterThan(8);
  expect(await storedBytes(TransposedMatrix, 'csr', true)).toEqual(alone);
  expect(await storedBytes(RereadMatrix, 'csr', true)).toEqual(alone);
  expect(await storedBytes(TransposedMatrix, 'csc', true)).toEqual(alone);
});

test('a file that a thread cannot write to is named as one that the store cannot write', async () => {
  const readOnly = join(folder, 'csr.h5ad');
  await handed(RereadMatrix, 'csr', true, async (matrix) => {
    const descriptor = openSync(readOnly, 'r');
    const valueCount = matrix.indptr.at(-1)!;
    const sums = () => new Uint32Array(new SharedArrayBuffer(4 * Math.ceil(valueCount / 1024)));
    const shard = ['indices', 'data'].map((name) => ({ descriptor, path: `/store/X/${name}/c/0` }));
    const writer: MatrixWriter = {
      write: () => Promise.resolve(),
      close: () => Promise.resolve(),
      parts: {
        target: {
          path: 'X',
          indptr: matrix.indptr,
          cellCount,
          valueType: 'float32',
          layout: { valueCount, innerLength: 1024, shardLength: 2 ** 20 },
          checksums: [sums(), sums()],
        },
        open: () => Promise.resolve(new Map([[0, [shard[0]!, shard[1]!] as const]])),
        done: () => Promise.resolve(),
      },
    };
    const error: unknown = await matrix.write('counts', writer, {}).catch((e: unknown) => e);
    closeSync(descriptor);
    expect(error).toBeInstanceOf(StoreWriteFailed);
    expect(error).toMatchObject({ path: '/store/X/indices/c/0', cause: { code: 'EBADF' } });
  });
});
