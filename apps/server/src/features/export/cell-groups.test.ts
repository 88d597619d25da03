import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dataset, FileObjectStore, openDataset } from '@cellfolio/store';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ComputePool } from '../../runtime/compute/compute-pool.ts';
import { cellColumns } from './cell-columns.ts';
import { cellFiles } from './cell-files.ts';
import { cellGroup, type CellGroupTask } from './cell-groups.ts';
import { cellCount, writeCells } from './cells.test-data.ts';

const never = new AbortController().signal;
const caller = { signal: never, users: () => [] };
let root: string;
let dataset: Dataset;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cellfolio-cell-groups-'));
  dataset = await openDataset(new FileObjectStore(await writeCells(root)), 'cells.h5ad', { cacheBytes: 0 });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function fileOf({
  piece = 7,
  maxBytes = Infinity,
  mask,
}: Partial<Record<'piece' | 'maxBytes', number>> & { mask?: CellGroupTask['mask'] } = {}) {
  const names = ['barcode', ...dataset.obsColumnNames, 'X_umap_1', 'X_umap_2', '=G', 'own.score'];
  const cells = {
    dataset: { id: 'cells.h5ad', version: '' },
    mask,
    columns: dataset.obsColumnNames,
    embeddings: ['X_umap'],
    genes: [0],
    scores: [Float64Array.from({ length: cellCount }, (_, cell) => -cell / 7)],
  };
  const columns = await cellColumns({ ...cells, from: 0, to: 0 }, dataset, never);
  const run = async (task: CellGroupTask) => structuredClone(await cellGroup(task, dataset, never, maxBytes));
  const compute = { threads: 1, run } as unknown as ComputePool;
  const notes = ['Dataset: Cells, =1', 'Take care.'];
  const { head, write, foot } = cellFiles.parquet(compute, { cells, names, columns, notes });
  const pieces = [head];
  for (let from = 0; from < cellCount;) {
    const { bytes, next } = await write({ from, to: Math.min(cellCount, from + piece) }, caller);
    pieces.push(bytes);
    from = next;
  }
  const file = Uint8Array.from(Buffer.concat([...pieces, foot()])).buffer;
  const rows = (await parquetReadObjects({ file })) as Record<string, unknown>[];
  return { rows, metadata: parquetMetadata(file) };
}

test('each kind of column is of its type in Parquet, and what is missing is null', async () => {
  const { rows, metadata } = await fileOf();
  expect(rows).toHaveLength(cellCount);
  expect(rows.slice(0, 4).map(({ X_umap_1: _x, X_umap_2: _y, ...row }) => row)).toEqual([
    {
      barcode: '=1+10',
      type: '@T',
      dose: -1,
      flag: false,
      wide: -(2n ** 53n) - 1n,
      age: -7,
      score: Math.fround(0.1),
      exact: 0.1 + 0.2,
      note: '',
      '=G': 0,
      'own.score': -0,
    },
    {
      barcode: 'a"b1',
      type: '#B',
      dose: 2,
      flag: true,
      wide: -(2n ** 53n) - 1n,
      age: -7,
      score: null,
      exact: 0.1 + 0.2,
      note: '-x',
      '=G': Math.fround(Math.log1p(1)),
      'own.score': -1 / 7,
    },
    {
      barcode: 'c,d2',
      type: null,
      dose: null,
      flag: false,
      wide: -(2n ** 53n) - 1n,
      age: -7,
      score: -Infinity,
      exact: 0.1 + 0.2,
      note: 'é 細胞',
      '=G': 0,
      'own.score': -2 / 7,
    },
    {
      barcode: 'e\nf3',
      type: '@T',
      dose: -1,
      flag: null,
      wide: -(2n ** 53n) - 1n,
      age: null,
      score: Math.fround(1e-40),
      exact: 0.1 + 0.2,
      note: null,
      '=G': Math.fround(Math.log1p(3)),
      'own.score': -3 / 7,
    },
  ]);
  for (const [cell, { X_umap_1: x, X_umap_2: y }] of rows.entries())
    expect([x, y]).toEqual([(2 * cell) / 3, (2 * cell + 1) / 3].map(Math.fround));
  const types = metadata.schema.slice(1).map(({ name, type, converted_type: of }) => [name, of ?? type]);
  expect(Object.fromEntries(types)).toEqual({
    barcode: 'UTF8',
    type: 'UTF8',
    dose: 'DOUBLE',
    flag: 'BOOLEAN',
    wide: 'INT64',
    age: 'INT32',
    score: 'FLOAT',
    exact: 'DOUBLE',
    note: 'UTF8',
    X_umap_1: 'FLOAT',
    X_umap_2: 'FLOAT',
    '=G': 'FLOAT',
    'own.score': 'DOUBLE',
  });
  const ofType = metadata.row_groups.map(({ columns }) => columns[1]!.meta_data!.encodings);
  expect(ofType.every((encodings) => encodings.includes('RLE_DICTIONARY'))).toBe(true);
  expect(metadata.key_value_metadata).toEqual([
    { key: 'Dataset', value: 'Cells, =1' },
    { key: 'Note', value: 'Take care.' },
  ]);
});

test('only chosen cells are in it, whatever pieces it is made of', async () => {
  const bits = Uint8Array.from({ length: cellCount }, (_, cell) => (cell % 10 === 3 ? 1 : 0));
  const mask = { bits, count: 4 };
  const { rows } = await fileOf({ piece: 3, mask });
  expect(rows.map(({ barcode }) => barcode)).toEqual(['e\nf3', 'a"b13', 'e\nf23', 'a"b33']);
  expect((await fileOf({ piece: cellCount, mask })).rows).toEqual(rows);
});

test('pieces end where their texts become too long, and the next one goes on there', async () => {
  const { rows, metadata } = await fileOf({ piece: cellCount, maxBytes: 20 });
  expect(rows).toEqual((await fileOf()).rows);
  expect(metadata.row_groups.length).toBeGreaterThan(10);
});
