import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realData } from '@cellfolio/model/testing/real-data';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importH5ad } from './index.ts';
import { fixtureCatalogue } from './testing/hdf5-fixtures.ts';

const id = 'pbmc.h5ad';
let root = '';
let imported: Awaited<ReturnType<typeof importH5ad>>;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cellfolio-pbmc68k-'));
  const path = realData('pbmc68k_reduced.h5ad');
  imported = await importH5ad({ path, root, id, catalogue: fixtureCatalogue('PBMC') });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the reduced PBMC file gives its raw expression, cell types, clusters and UMAP', async () => {
  expect(imported.manifest).toMatchObject({
    cellCount: 700,
    geneCount: 765,
    valueCount: 174_400,
    expression: { path: 'raw/X', state: 'log-normalised', hasCounts: false },
    roles: { cellType: 'bulk_labels', cluster: 'louvain', embedding: 'X_umap', metadata: { phase: 'phase' } },
  });
  const dataset = await openDataset(new FileObjectStore(root), id);
  const types = await dataset.obs('bulk_labels');
  const gene = await dataset.gene(dataset.genes.find('CD79A')!);
  if (types.kind !== 'categorical') throw new Error('cell types are categorical');
  const sums = types.categories.map(() => 0);
  gene.cells.forEach((cell, i) => (sums[types.codes[cell]!]! += gene.values[i]!));
  // CD79A belongs to B cells, which the file calls CD19+ B.
  const order = sums.map((_, i) => i).sort((a, b) => sums[b]! - sums[a]!);
  expect(types.categories[order[0]!]).toBe('CD19+ B');
  expect(sums[order[0]!]).toBeGreaterThan(5 * sums[order[1]!]!);
});

test('the columns of var come along with raw, and the rest is returned on export', () => {
  const { carried, notKept } = imported.report;
  const paths = carried.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['X', 'obsp/connectivities', 'uns/rank_genes_groups', 'varm/PCs']),
  );
  expect(notKept).toEqual([]);
  const dataset = join(root, 'datasets', id);
  expect(readdirSync(join(dataset, 'obsp/connectivities'))).toContain('indptr');
  const stored = readdirSync(join(dataset, 'var'));
  expect(stored).toEqual(expect.arrayContaining(['means', 'dispersions', 'highly_variable']));
});

test('its 765 genes, whose totals differ, hold natural logarithms', () => {
  expect(imported.report.expression.source).toMatchObject({
    path: 'raw/X',
    state: 'log-normalised',
    scale: { read: 'log1p', basis: 'whole-multiples' },
  });
});
