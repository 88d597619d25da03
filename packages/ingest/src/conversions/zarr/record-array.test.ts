import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryRoot } from '@cellfolio/bytes/testing';
import * as hdf5 from 'h5wasm/node';
import { expect, test } from 'vitest';
import { importH5ad } from '../../import-h5ad.ts';
import { fixtureCatalogue } from '../../testing/hdf5-fixtures.ts';
import { H5File } from '../../write-h5ad/h5-file.ts';
import { readableFile } from '../readable-file.ts';
import { copyRecords, recordArray } from './record-array.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures/zarr-records');
// What anndata reads of the same bytes: see fixtures/make-zarr-records.py.
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as Record<
  string,
  unknown[]
>;
await hdf5.ready;

const plain = (value: unknown): unknown =>
  Array.isArray(value) || ArrayBuffer.isView(value)
    ? Array.from(value as Iterable<unknown>, plain)
    : // h5wasm has booleans of records as 0 and 1.
      typeof value === 'boolean'
      ? Number(value)
      : value;

test.each(['records-2', 'records-3', 'records-3-struct'])(
  '%s: tables and byte strings of uns are those that anndata reads, and are carried',
  async (name) => {
    const root = await temporaryRoot();
    const path = join(fixtures, `${name}.zarr.zip`);
    const { path: converted } = await readableFile({ path, name }, join(root, 'converted.h5ad'));
    const file = new hdf5.File(converted, 'r');
    try {
      for (const [part, values] of Object.entries(expected)) {
        const { value } = file.get(`uns/${part}`) as hdf5.Dataset;
        expect({ part, values: plain(value) }).toEqual({ part, values: plain(values) });
      }
    } finally {
      file.close();
    }
    const { report } = await importH5ad({
      path: converted,
      root,
      id: 'x.h5ad',
      catalogue: fixtureCatalogue(name),
    });
    expect(report.carried.map(({ path: part }) => part)).toEqual(
      expect.arrayContaining(['uns/rank_genes_groups', 'uns/mixed', 'uns/codes']),
    );
    expect(report.notKept).toEqual([]);
  },
);

/** An array of version 2 whose only chunk has these bytes. */
function filesWith(metadata: object, chunk: Uint8Array | undefined) {
  const array = { shape: [2], chunks: [2], fill_value: null, order: 'C', filters: null, compressor: null };
  const text = JSON.stringify({ zarr_format: 2, ...array, ...metadata });
  return {
    path: 'file.zarr',
    bytes: 1000,
    get: async (key: string) =>
      key === 'a/.zarray' ? Uint8Array.from(Buffer.from(text)) : key === 'a/0' ? chunk : undefined,
    names: async () => ['.zarray'],
    close: async () => {},
  };
}

async function copied(metadata: object, chunk: Uint8Array | undefined) {
  const files = filesWith(metadata, chunk);
  const root = await temporaryRoot();
  const array = await recordArray(files, 'a');
  if (array === undefined) return undefined;
  let shape: readonly number[] | undefined;
  await H5File.write(join(root, 'x.h5'), async (to) => {
    shape = (await copyRecords({ files, to, key: 'a' }, array, {}))?.shape;
    return { kind: 'group', attributes: {}, members: new Map() };
  });
  return shape;
}

const eight = new Uint8Array(8);

test.each<[string, object, Uint8Array | undefined, string]>([
  [
    'a text that is no text',
    { dtype: '<U1' },
    eight.with(3, 1),
    'one of its texts holds what is no character',
  ],
  ['a NUL within a text', { dtype: '<U2', shape: [1], chunks: [1] }, eight.with(4, 97), 'holds what is no'],
  [
    'a lost chunk',
    { dtype: [['a', '<i4']], fill_value: 'AQAAAA==' },
    undefined,
    'one of its chunks is missing',
  ],
  ['a chunk cut short', { dtype: [['a', '<i8']] }, eight, 'it is cut short'],
  ['fields without end', { dtype: [['a', '|S999999999']] }, eight, 'chunk'],
  ['a shape that is no list', { dtype: [['a', '<i4']], shape: 'x' }, eight, 'its shape is x'],
])('%s is refused by name', async (_, metadata, chunk, message) => {
  await expect(copied(metadata, chunk)).rejects.toThrow(message);
});

test('records of types that HDF5 does not have, or with more columns than it has room for, are left', async () => {
  expect(await copied({ dtype: [['a', '<M8[ns]']] }, eight)).toBeUndefined();
  expect(await copied({ dtype: [['a', '>i4']] }, eight)).toBeUndefined();
  expect(await copied({ dtype: [['a', '<i4', [2]]] }, eight)).toBeUndefined();
  const many = Array.from({ length: 3000 }, (_, at) => [`perturbation ${at}`, '<i4']);
  expect(await copied({ dtype: many }, new Uint8Array(2 * 4 * 3000))).toBeUndefined();
});
