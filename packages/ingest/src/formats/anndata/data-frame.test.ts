import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCategorical } from '@cellfolio/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { array, group, soundFile, strings, writeHdf5 } from '../../testing/hdf5-fixtures.ts';
import { openDatasetFile } from '../open-dataset-file.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-frame-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('columns with slashes, which anndata nests in groups, are columns and the groups are none', async () => {
  const path = join(folder, 'nested.h5ad');
  const order = ['age', 'T/NK', 'T/B', 'gone/away', '/'];
  const categorical = { 'encoding-type': 'categorical', 'encoding-version': '0.2.0' };
  await writeHdf5(path, [
    ...soundFile(3, 21).set('obs', group('dataframe', { _index: '_index', 'column-order': order })),
    ['obs/age', array(Int32Array.of(1, 2, 3))],
    ['obs/T', group()],
    ['obs/T/NK', { kind: 'group', attributes: categorical }],
    ['obs/T/NK/codes', array(Int8Array.of(1, 0, -1))],
    ['obs/T/NK/categories', strings(['no', 'yes'])],
    ['obs/T/B', array(Float32Array.of(0.5, 1, 2))],
    ['obs/left', group()],
  ]);
  const file = await openDatasetFile(path);
  try {
    const { table, skipped } = file.table('obs', 'obs');
    expect([...table.columns.keys()]).toEqual(['age', 'T/NK', 'T/B']);
    const column = table.columns.get('T/NK');
    expect(isCategorical(column) && [...column.codes]).toEqual([1, 0, -1]);
    expect(skipped.map(({ column: name }) => name)).toEqual(['/', 'left']);
  } finally {
    file.hdf5.close();
  }
});
