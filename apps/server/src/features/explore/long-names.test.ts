import { type CategoricalColumn, type Column, packStrings, type Table } from '@cellfolio/model';
import { createDatasetWriter, type StorePlace } from '@cellfolio/store';
import { beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';

const million = 1_000_000;
const cellCount = 240;
const geneCount = 6;
const hostile = (end: number, length = million) => `<b>T\u202E\n cell 👩‍🔬${'x'.repeat(length)}${end}`;
const names = (count: number, length = million) =>
  Array.from({ length: count }, (_, i) => hostile(i, length));
const clones = Array.from({ length: 100_000 }, (_, i) => `clone ${i}`);

let server: SharedServer;
let api: ReturnType<typeof apiClient>;

/** A dataset that an import of an earlier version, or another writer to the store, could have left. */
async function writeLongDataset(root: StorePlace): Promise<void> {
  const writer = await createDatasetWriter(root, 'long.h5ad');
  const column = (categories: readonly string[], codeOf: (cell: number) => number): CategoricalColumn => ({
    kind: 'categorical',
    codes: Int32Array.from({ length: cellCount }, (_, cell) => codeOf(cell)),
    categories,
    categoryType: 'string',
    ordered: false,
  });
  const columns = new Map<string, Column>([
    ['cell_type', column(names(60, 100_000), (cell) => cell % 60)],
    ['leiden', column(clones, (cell) => cell * 400)],
    ['c'.repeat(million), column(names(3), (cell) => cell % 3)],
  ]);
  for (let field = 0; field < 40; field++) {
    columns.set(
      `field ${field}`,
      column(names(40, 3000), (cell) => cell % 40),
    );
  }
  const table = (rows: readonly string[], of: ReadonlyMap<string, Column>): Table => ({
    rowCount: rows.length,
    indexName: '_index',
    index: packStrings(rows),
    columns: of,
  });
  await writer.obs(
    table(
      Array.from({ length: cellCount }, (_, cell) => `cell-${cell}`),
      columns,
    ),
  );
  await writer.var(table(names(geneCount), new Map()));
  await writer.obsm({
    name: 'X_umap',
    dimensions: 2,
    values: Float32Array.from({ length: cellCount * 2 }, (_, at) => Math.sin(at)),
  });
  const cells = Int32Array.from({ length: cellCount }, (_, cell) => cell);
  const indptr = Float64Array.from({ length: geneCount + 1 }, (_, gene) => gene * cellCount);
  const matrix = await writer.matrix('X', { cellCount, geneCount, indptr, valueType: 'float32' });
  for (let gene = 0; gene < geneCount; gene++) {
    await matrix.write(
      cells,
      Float32Array.from(cells, (cell) => 0.1 + ((cell % 60) * (gene + 1)) / 60),
    );
  }
  await matrix.close();
  await writer.publish({
    catalogue: {
      name: hostile(1),
      disease: hostile(2),
      subdisease: hostile(3),
      category1: hostile(4),
      category2: hostile(5),
      description: hostile(6),
      simulated: false,
    },
    roles: {
      cellType: 'cell_type',
      cluster: 'leiden',
      embedding: 'X_umap',
      metadata: Object.fromEntries([
        [hostile(7), 'c'.repeat(million)],
        [hostile(8), 'leiden'],
        ...Array.from({ length: 40 }, (_, field) => [`field ${field}`, `field ${field}`]),
      ]) as Record<string, string>,
    },
    expression: { path: 'X', state: 'log-normalised', hasCounts: false },
    warnings: [{ code: 'test-warning', message: hostile(9), numbers: { names: names(3) } }],
  });
}

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeTinyDataset(objectRoot, 'tiny.h5ad');
    await writeLongDataset(objectRoot);
  });
  api = apiClient(server, await server.signIn('standard'), 'long');
});

const bytesOf = (body: unknown) => JSON.stringify(body).length;
const open = async () => (await api.get('/api/dataset_analysis/long.h5ad')).body;

test('the catalogue lists a dataset of endless names in some kilobytes', async () => {
  const { status, body } = await api.get('/api/dataset_metadata');
  expect(status).toBe(200);
  expect(bytesOf(body)).toBeLessThan(700_000);
  const text = JSON.stringify(body);
  expect(text).toContain('… and 40 more');
  expect((await api.get('/api/damaged-datasets')).body).toEqual({ datasets: [] });
});

test('a dataset of millions of characters of names opens with an answer of bounded size that says what it lacks', async () => {
  const { status, body } = await api.get('/api/dataset_analysis/long.h5ad');
  expect(status).toBe(200);
  expect(bytesOf(body)).toBeLessThan(2_000_000);
  expect(new Set(body.cell_types).size).toBe(60);
  expect(Object.keys(body.cell_type_counts)).toEqual(body.cell_types);
  expect(body.leiden_clusters).toHaveLength(cellCount);
  expect(new Set(body.gene_library).size).toBe(geneCount);
  for (const name of [...body.cell_types, ...body.gene_library, ...Object.keys(body.patient_metadata)]) {
    expect(name.length).toBeLessThanOrEqual(500);
    expect(name.isWellFormed()).toBe(true);
  }
  const caution = body.warnings.find(({ code }: { code: string }) => code === 'metadata-left-out');
  expect(caution.numbers.leftOut + Object.keys(body.patient_metadata).length).toBe(42);
});

test('names that were cut choose the cells that they stand for', async () => {
  const { cell_types: types, patient_metadata: metadata } = await open();
  const filter = async (part: object) =>
    (await api.post('/api/filter-active-dataset', { subset_group_name: 'x', ...part })).body;
  const one = await filter({ cell_type_filter: true, cell_type: [types[59]] });
  expect(one.cell_count).toBe(4);
  expect(one.cell_type_counts[types[59]]).toBe(4);
  const [field, values] = Object.entries<string[]>(metadata)[0]!;
  const other = await filter({ patient_metadata_filter: true, patient_metadata: { [field]: [values[2]] } });
  expect(other.cell_count).toBe(cellCount / 3);
  await filter({ subset_group_name: 'Default' });
});

test('figures and tests of such names are drawn and answered within bounds', async () => {
  const { cell_types: types, gene_library: genes } = await open();
  const map = await api.get('/api/datasets/long.h5ad/umap.png');
  expect(map).toMatchObject({ status: 200 });
  expect(map.body.byteLength).toBeLessThan(1_000_000);
  const isolated = await api.post('/api/plot-isolated-cell-types', { cell_types: [types[1]] });
  expect(isolated.body.plots).toMatchObject([{ cell_type: types[1], cell_count: 4 }]);
  const plot = await api.post('/api/plot-umap-with-genes', { genes: [genes[3]], violin_plot: true });
  expect(plot.status).toBe(200);
  expect(plot.body.found_genes).toEqual([genes[3]]);
  expect(bytesOf(plot.body)).toBeLessThan(1_500_000);
  const svg = await api.post('/api/render-figure', { source: plot.body.plots[1].source, format: 'svg' });
  expect(svg.status).toBe(200);
  expect(svg.body.byteLength).toBeLessThan(500_000);
  const markers = await api.post('/api/perform-marker-analysis', {
    groupby: 'cell_type',
    pvals_adj: 1,
    logfoldchanges: -100,
    min_cells: 3,
  });
  expect(markers.status).toBe(200);
  expect(new Set(markers.body.groups.map(({ name }: { name: string }) => name)).size).toBe(60);
  // The picture grows with dots, not with names.
  expect(bytesOf({ ...markers.body, dotplot_image: '' })).toBeLessThan(1_000_000);
});

test('refusals name no more than the beginnings of names', async () => {
  await open();
  const unknown = await api.post('/api/filter-active-dataset', {
    subset_group_name: 'x',
    cell_type_filter: true,
    cell_type: ['nobody'],
  });
  expect(unknown).toMatchObject({ status: 400, body: { code: 'unknown_value' } });
  expect(unknown.body.message.length).toBeLessThan(1500);
  const column = await api.post('/api/perform-marker-analysis', { groupby: 'nothing' });
  expect(column).toMatchObject({ status: 400, body: { code: 'unknown_column' } });
  expect(column.body.message.length).toBeLessThan(4000);
  const groups = await api.post('/api/perform-marker-analysis', { groupby: 'leiden' });
  expect(bytesOf(groups.body)).toBeLessThan(1_500_000);
});
