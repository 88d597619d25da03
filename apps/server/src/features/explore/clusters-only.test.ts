import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';

const id = 'clusters.h5ad';
let server: TestServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  // As imports once wrote it, where a file had no cell types: its clusters as both.
  server = await startTestServer({}, ({ objectRoot }) =>
    writeTinyDataset(objectRoot, id, {}, { cellType: 'leiden', cluster: 'leiden' }).then(() => undefined),
  );
  api = apiClient(server, await server.signIn('standard'), 'clusters');
});
afterAll(() => server.close());

const open = () => api.get(`/api/dataset_analysis/${id}`);

test('clusters are nowhere called cell types, neither in the dataset nor in the catalogue', async () => {
  const { body } = await open();
  expect(body).toMatchObject({ cell_types: [], leiden_clusters: ['0', '1'], unlabelled_cells: 0 });
  const catalogue = await api.get('/api/dataset_metadata');
  expect(catalogue.body['Breast Cancer']['Triple-negative'][0]).not.toHaveProperty('cell_types');
});

test('figures are by cluster and in the colours of clusters', async () => {
  await open();
  const { body } = await api.post('/api/plot-umap-with-genes', { genes: ['CD79A'], violin_plot: true });
  const violin = body.plots.find(({ plot_type }: { plot_type: string }) => plot_type === 'violin');
  expect(violin.figure.groupTitle).toBe('Cluster');
  const { body: isolated } = await api.post('/api/plot-isolated-cell-types', {
    cell_types: [],
    leiden_clusters: ['1'],
  });
  expect(isolated.plots).toEqual([]);
  const [one] = isolated.leiden_cluster_figure.groups;
  expect(one).toMatchObject({ label: '1', cells: 30 });
  expect(violin.figure.groups[1].colour).toBe(one.colour);
  const none = await api.post('/api/plot-isolated-cell-types', { cell_types: [] });
  expect(none.body.message).toContain('Choose at least one cell type.');
});

test('cells are kept by cluster, and a subset of before keeps the cells that it did', async () => {
  await open();
  const byCluster = await api.post('/api/filter-active-dataset', {
    subset_group_name: 'one cluster',
    patient_metadata_filter: true,
    patient_metadata: { Cluster: ['1'] },
  });
  expect(byCluster.body).toMatchObject({ cell_count: 30, cell_type_counts: {} });
  const before = await api.post('/api/filter-active-dataset', {
    subset_group_name: 'of before',
    cell_type_filter: true,
    cell_type: ['1'],
  });
  expect(before.body.cell_count).toBe(30);
});

test('markers are by what the column is called everywhere, and name it as the file does', async () => {
  await open();
  const grouped = async (groupby: string) => {
    const { body } = await api.post('/api/perform-marker-analysis', { groupby, logfoldchanges: -100 });
    return [body.parameters.groupby, body.group_title];
  };
  expect(await grouped('leiden')).toEqual(['leiden', 'Cluster']);
  expect(await grouped('age_group')).toEqual(['age_group', 'Age Group']);
});
