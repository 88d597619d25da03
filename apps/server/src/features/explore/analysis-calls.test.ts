import { request } from 'node:http';
import { Admission } from '@cellfolio/platform';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { expect, test, beforeAll } from 'vitest';
import { FigureService } from './figures.ts';
import { ProgressHub } from '../../runtime/progress/progress-hub.ts';
import { clientGonePlugin } from '../../runtime/http/connections.ts';
import { handleError } from '../../runtime/http/error-handler.ts';
import { postPlotUmapWithGenes } from './routes.ts';
import type { Services } from '../../boot/services.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';

async function mountRoute() {
  const cancelled = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const pool = {
    run: (_task: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => {
        started.resolve();
        signal.addEventListener('abort', () => {
          cancelled.resolve();
          reject(signal.reason);
        });
      }),
  };
  const genes = { symbols: ['CD79A'], find: () => 0 };
  const selection = { manifest: { id: 'tiny.h5ad', version: 'v1' }, subset: undefined };
  const figures = new FigureService(
    {
      compute: { threads: 1, run: pool.run },
      inputs: { find: async () => ({ gene: { from: 'gene', row: 0 } }), version: async () => '' },
      masks: { maskOf: async () => undefined },
    },
    0,
  );
  const services = {
    active: { current: async () => selection },
    ownColumns: { named: async () => [], all: async () => [], storedColumns: async () => [] },
    displays: { current: async () => [] },
    datasets: { get: async () => ({ genes }) },
    figures,
    progress: new ProgressHub(),
    admission: new Admission({
      running: 1,
      runningPerUser: 1,
      waiting: 1,
      waitingPerUser: 1,
      queueTimeoutMilliseconds: 1000,
    }),
    limits: { genesPerCall: 5 },
  } as unknown as Services;
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.decorateRequest('member', { getter: () => ({ userId: 'u' }) });
  await app.register(clientGonePlugin);
  await app.register(postPlotUmapWithGenes, { services });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, address, services, started: started.promise, cancelled: cancelled.promise };
}

test('the work of a call is cancelled when its client goes away', async () => {
  const { app, address, services, started, cancelled } = await mountRoute();
  const body = JSON.stringify({ genes: ['CD79A'] });
  const call = request(`${address}/api/plot-umap-with-genes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  });
  call.on('error', () => undefined);
  call.end(body);
  await started;
  call.destroy();
  await cancelled;
  await app.close();
  expect([services.progress.size, services.admission.running]).toEqual([0, 0]);
});

const id = 'clusters.h5ad';
let server: SharedServer;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  // As imports once wrote it, where a file had no cell types: its clusters as both.
  server = await shareTestServer(({ objectRoot }) =>
    writeTinyDataset(objectRoot, id, {}, { cellType: 'leiden', cluster: 'leiden' }).then(() => undefined),
  );
  api = apiClient(server, await server.signIn('standard'), 'clusters');
});

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
