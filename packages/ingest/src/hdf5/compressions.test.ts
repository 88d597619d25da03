import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { denseValues } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad } from '../import-h5ad.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';

const files = join(import.meta.dirname, '../../fixtures/compressions');
let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-compressions-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function contents(name: string) {
  const id = `${name}.h5ad`;
  const path = join(files, id);
  await importH5ad({ path, root, id, catalogue: fixtureCatalogue(name), replace: true });
  const dataset = await openDataset(new FileObjectStore(root), id);
  const genes = await Promise.all(dataset.genes.symbols.map((_, gene) => dataset.gene(gene)));
  return {
    genes: dataset.genes.symbols,
    values: genes.map((gene) => Array.from(denseValues(gene))),
    columns: await Promise.all(['cell_type', 'age', 'treated'].map((column) => dataset.obs(column))),
    places: Array.from((await dataset.embedding('X_umap')).values),
  };
}

test('numbers and booleans with missing values keep them', async () => {
  const { columns, genes } = await contents('plain');
  expect(genes).toHaveLength(20);
  expect(columns[1]).toMatchObject({ kind: 'numeric', dtype: 'int64' });
  expect(columns[2]).toMatchObject({ kind: 'boolean' });
  for (const column of columns.slice(1))
    expect('missing' in column && Array.from(column.missing!).slice(0, 4)).toEqual([0, 1, 0, 1]);
});

test.each(['blosc-lz4', 'blosc-zstd', 'blosc2', 'zstd', 'lz4', 'bitshuffle', 'lzf'])(
  'a file compressed with %s has the values of the file without compression',
  async (name) => {
    expect(await contents(name)).toEqual(await contents('plain'));
  },
);
