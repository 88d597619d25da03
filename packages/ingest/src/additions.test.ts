import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { denseValues, stringAt, type Column, type ProcessingRecord } from '@cellfolio/model';
import { FileObjectStore, openDataset, type Dataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad } from './import-h5ad.ts';
import { type DatasetAdditions, keptTable } from './additions.ts';
import { fixtureCatalogue } from './testing/hdf5-fixtures.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
const catalogue = fixtureCatalogue('Additions');

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-additions-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function imported(name: string, id: string, additions?: DatasetAdditions): Promise<Dataset> {
  const path = join(fixtures, `${name}.h5ad`);
  await importH5ad({ path, root, id, catalogue, ...(additions && { additions }) });
  return openDataset(new FileObjectStore(root), id);
}

/** Genes x cells. */
async function values(dataset: Dataset, cells?: Int32Array): Promise<number[][]> {
  const rows: number[][] = [];
  for (let gene = 0; gene < dataset.manifest.geneCount; gene++) {
    const all = denseValues(await dataset.gene(gene));
    rows.push(Array.from(cells ?? all.keys(), (cell) => all[cell]!));
  }
  return rows;
}

test.each(['counts-int64-csr', 'counts-uint16-dense', 'messy-csc-counts', 'counts-layer'])(
  'cells of %s that are taken away are gone from expression and embeddings alike',
  async (name) => {
    const whole = await imported(name, `${name}-whole`);
    const { cellCount, valueCount } = whole.manifest;
    const keptCells = Int32Array.from({ length: cellCount }, (_, cell) => cell).filter(
      (cell) => cell % 3 !== 1,
    );
    const subset = await imported(name, `${name}-kept`, { keptCells });
    expect(subset.manifest.cellCount).toBe(keptCells.length);
    expect(subset.manifest.valueCount).toBeLessThan(valueCount);
    expect(await values(subset)).toEqual(await values(whole, keptCells));
    const { embedding } = whole.manifest.roles;
    const before = (await whole.embedding(embedding!)).values;
    expect(Array.from((await subset.embedding(embedding!)).values)).toEqual(
      Array.from(keptCells).flatMap((cell) => [before[2 * cell], before[2 * cell + 1]]),
    );
  },
);

test('what was computed is stored as if the file had held it, and plays its part', async () => {
  const { cellCount, geneCount } = (await imported('nothing-known', 'plain')).manifest;
  const codes = Int8Array.from({ length: cellCount }, (_, cell) => cell % 2);
  const leiden: Column = {
    kind: 'categorical',
    codes,
    categories: ['0', '1'],
    categoryType: 'string',
    ordered: false,
  };
  const umap = Float32Array.from({ length: cellCount * 2 }, (_, i) => i);
  const processing: ProcessingRecord = {
    computedBy: 'test 1.0.0',
    computed: ['clusters', 'embedding'],
    cellsBefore: cellCount,
    cellsKept: cellCount,
    variableGenes: 1,
    components: 2,
    neighbours: 3,
    resolution: 1,
    clusterCount: 2,
    minimumDistance: 0.5,
  };
  const dataset = await imported('nothing-known', 'computed', {
    obs: new Map([['leiden', leiden]]),
    var: new Map([['highly_variable', { kind: 'boolean', values: new Uint8Array(geneCount) }]]),
    obsm: [{ name: 'X_umap', dimensions: 2, values: umap }],
    warnings: [{ code: 'test', message: 'A note.' }],
    processing,
  });
  expect(dataset.manifest.roles).toMatchObject({
    cluster: 'leiden',
    embedding: 'X_umap',
  });
  expect(dataset.manifest.roles).not.toHaveProperty('cellType');
  expect(dataset.manifest.processing).toEqual(processing);
  const warnings = dataset.manifest.warnings.map(({ code }) => code);
  expect(warnings).toContain('test');
  expect(warnings).not.toContain('no-embedding');
  expect(await dataset.obs('leiden')).toMatchObject({ categories: ['0', '1'], codes });
  expect((await dataset.embedding('X_umap')).values).toEqual(umap);
});

test('rows of every kind of column are taken with their missing values, unused categories are left out', () => {
  const bytes = new TextEncoder().encode('aéc');
  const table = keptTable(
    {
      rowCount: 3,
      indexName: '_index',
      index: { bytes, offsets: Uint32Array.of(0, 1, 3, 4) },
      columns: new Map<string, Column>([
        [
          'n',
          {
            kind: 'numeric',
            dtype: 'int32',
            values: Int32Array.of(1, 2, 3),
            missing: Uint8Array.of(0, 0, 1),
          },
        ],
        ['b', { kind: 'boolean', values: Uint8Array.of(0, 1, 1) }],
        [
          'c',
          {
            kind: 'categorical',
            codes: Int8Array.of(2, 0, -1),
            categories: ['x', 'y', 'z'],
            categoryType: 'string',
            ordered: false,
          },
        ],
      ]),
    },
    Int32Array.of(1, 2),
  );
  expect(table.rowCount).toBe(2);
  expect([stringAt(table.index, 0), stringAt(table.index, 1)]).toEqual(['é', 'c']);
  expect(table.columns.get('n')).toMatchObject({ values: Int32Array.of(2, 3), missing: Uint8Array.of(0, 1) });
  expect(table.columns.get('b')).toMatchObject({ values: Uint8Array.of(1, 1) });
  expect(table.columns.get('c')).toMatchObject({ codes: Int8Array.of(0, -1), categories: ['x'] });
});
