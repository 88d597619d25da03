import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Column, denseValues, stringAt, unpackStrings } from '@cellfolio/model';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad } from '../import-h5ad.ts';
import { fixtureCatalogue } from '../testing/hdf5-fixtures.ts';
import { readableFile } from './readable-file.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/anndata-encodings');
// What anndata 0.13 reads of its own files: see fixtures/make-anndata-encodings.py.
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as {
  facts: Record<string, { dtype: string; shards: number[] }>;
  names: string[];
  obs: Record<'remark' | 'visits' | 'smoker', (string | number | boolean | null)[]>;
  counts: number[][];
};

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-encodings-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the files have shards and 64-bit indices, as anndata 0.13 writes them by default', () => {
  for (const { dtype, shards } of Object.values(expected.facts)) {
    expect(dtype).toBe('int64');
    expect(shards).toHaveLength(1);
  }
});

test.each([
  ['sharded.zarr.zip', 'with consolidated metadata', []],
  ['not-consolidated.zarr.zip', 'without consolidated metadata, with a column of dates', ['day']],
  ['wide-indices.h5ad', 'as HDF5', []],
])('%s, %s, is read as anndata reads it', async (name, _, dates) => {
  const { path } = await readableFile({ path: join(fixtures, name), name }, join(root, `${name}.h5ad`));
  const { report } = await importH5ad({ path, root, id: name, catalogue: fixtureCatalogue(name) });
  const dataset = await openDataset(new FileObjectStore(root), name);
  const { names } = await dataset.cellRows(
    { from: 0, to: expected.names.length },
    { columns: [], embeddings: [] },
  );
  expect(unpackStrings(names)).toEqual(expected.names);
  expect(dataset.obsColumnNames.toSorted()).toEqual(Object.keys(expected.obs).toSorted());
  for (const [column, values] of Object.entries(expected.obs))
    expect({ column, values: valuesOf(await dataset.obs(column)) }).toEqual({ column, values });
  const totals = expected.counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  for (const gene of dataset.genes.symbols.keys()) {
    const values = denseValues(await dataset.gene(gene));
    const difference = expected.counts.map((row, cell) =>
      Math.abs(values[cell]! - Math.log1p((row[gene]! / totals[cell]!) * 1e4)),
    );
    expect(Math.max(...difference)).toBeLessThan(2e-6);
  }
  expect(report.expression.what).toMatch(/^X\b/);
  const leftOut = report.warnings.filter(({ message }) => message.includes('left out'));
  expect(leftOut).toHaveLength(dates.length);
  for (const date of dates) expect(leftOut[0]!.message).toContain(date);
});

function valuesOf(column: Column): (string | number | boolean | null)[] {
  if (column.kind === 'categorical')
    return Array.from(column.codes, (code) => column.categories[code] ?? null);
  const { missing } = column;
  if (column.kind === 'string')
    return expected.names.map((_, row) => (missing?.[row] === 1 ? null : stringAt(column.strings, row)));
  return [...column.values].map((value, row) => {
    if (missing?.[row] === 1 || Number.isNaN(Number(value))) return null;
    return column.kind === 'boolean' ? Number(value) === 1 : Number(value);
  });
}
