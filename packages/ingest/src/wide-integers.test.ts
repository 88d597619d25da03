import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packStrings, unpackStrings, type Column, type Table } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Hdf5File } from './hdf5/hdf5-file.ts';
import { importH5ad, writeH5ad } from './index.ts';
import { readDataFrame } from './formats/anndata/data-frame.ts';
import { fixtureCatalogue } from './testing/hdf5-fixtures.ts';
import { wideIds, writeWideIds, type WideIds } from './testing/simulated-files.ts';

const cells = 300;
const genes = 30;
let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-wide-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function labels(column: Column | undefined): (string | null)[] {
  if (column?.kind !== 'categorical') throw new Error(`not categorical but ${column?.kind}`);
  return Array.from(column.codes, (code) => column.categories[code] ?? null);
}

async function tableOf(path: string): Promise<Table> {
  const file = await Hdf5File.open(path);
  try {
    return readDataFrame(file, 'obs', 'obs').table;
  } finally {
    file.close();
  }
}

test('64-bit ids beyond 2^53 stay distinct and exact from the file to the store', async () => {
  const path = join(root, 'source.h5ad');
  const ids = await writeWideIds(path, cells, genes);
  expect(new Set(ids.signed).size).toBe(cells);
  const id = 'wide.h5ad';
  const { report } = await importH5ad({ path, root, id, catalogue: fixtureCatalogue('Wide ids') });
  const dataset = await openDataset(new FileObjectStore(root), id);
  const { signed, unsigned, missing } = ids;
  const plain = { kind: 'wide-integer', dtype: 'int64', values: signed };
  expect(await dataset.obs('cell_id')).toEqual(plain);
  expect(await dataset.obs('hash')).toEqual({ kind: 'wide-integer', dtype: 'uint64', values: unsigned });
  expect(await dataset.obs('read_id')).toEqual({ ...plain, missing });
  expect(await dataset.obs('donor_id')).toMatchObject({ kind: 'categorical', categoryType: 'int64' });
  expect(labels(await dataset.obs('donor_id'))).toEqual(Array.from(ids.donors, String));
  expect(dataset.genes.find(String(ids.genes[1]))).toBe(1);
  expect(report.columns.find(({ name }) => name === 'cell_id')).toMatchObject({
    kind: 'numeric',
    dtype: 'int64',
  });
  expect(report.carried.map(({ path }) => path)).toContain('uns/run_ids');
});

test('few ids beyond 2^53 become categories, each its own and in their order', async () => {
  const path = join(root, 'samples.h5ad');
  const ids = await writeWideIds(path, cells, genes);
  const id = 'samples.h5ad';
  const columns = { metadata: { Sample: 'sample' } };
  await importH5ad({ path, root, id, catalogue: fixtureCatalogue('Wide ids'), columns });
  const column = await (await openDataset(new FileObjectStore(root), id)).obs('sample');
  expect(labels(column)).toEqual(Array.from(ids.samples, String));
  expect(column).toMatchObject({
    categoryType: 'uint64',
    categories: [...new Set(ids.samples)].sort((a, b) => (a < b ? -1 : 1)).map(String),
  });
});

test('row names that are 64-bit integers are written out digit by digit, and small ones stay plain numbers', async () => {
  const path = join(root, 'names.h5ad');
  const ids = await writeWideIds(path, cells, genes);
  const table = await tableOf(path);
  expect(unpackStrings(table.index)).toEqual(Array.from(ids.signed, String));
  expect(table.columns.get('small')).toMatchObject({ kind: 'numeric', dtype: 'int64' });
});

test('64-bit ids are written to an .h5ad file as they are', async () => {
  const ids = wideIds(cells, genes);
  const path = join(root, 'written.h5ad');
  await writeH5ad(path, { obs: writable(ids), var: geneNames(), X: dense() });
  const { columns } = await tableOf(path);
  expect(columns.get('cell_id')).toEqual({ kind: 'wide-integer', dtype: 'int64', values: ids.signed });
  expect(columns.get('hash')).toEqual({ kind: 'wide-integer', dtype: 'uint64', values: ids.unsigned });
  // The library writes no nullable integers; categories keep both the missing ones and the digits.
  expect(labels(columns.get('read_id'))).toEqual(
    Array.from(ids.signed, (value, cell) => (ids.missing[cell] === 1 ? null : String(value))),
  );
  expect(labels(columns.get('donor_id'))).toEqual(Array.from(ids.donors, String));
});

function writable({ signed, unsigned, missing, donors }: WideIds): Table {
  const categories = [...new Set(donors)];
  return {
    rowCount: cells,
    indexName: '_index',
    index: packStrings(Array.from(signed, String)),
    columns: new Map<string, Column>([
      ['cell_id', { kind: 'wide-integer', dtype: 'int64', values: signed }],
      ['hash', { kind: 'wide-integer', dtype: 'uint64', values: unsigned }],
      ['read_id', { kind: 'wide-integer', dtype: 'int64', values: signed, missing }],
      [
        'donor_id',
        {
          kind: 'categorical',
          codes: Int8Array.from(donors, (donor) => categories.indexOf(donor)),
          categories: categories.map(String),
          categoryType: 'int64',
          ordered: false,
        },
      ],
    ]),
  };
}

function geneNames(): Table {
  const index = packStrings(Array.from({ length: genes }, (_, gene) => `GENE${gene}`));
  return { rowCount: genes, indexName: '_index', index, columns: new Map() };
}

function dense() {
  const values = Float32Array.from({ length: cells * genes }, (_, at) => at % 3);
  return { format: 'dense', dtype: 'float32', blocks: [{ values }] } as const;
}
