import { coExpression } from '@cellfolio/analyses';
import { join } from 'node:path';
import { analysisCall } from '@cellfolio/contract';
import { beforeAll, expect, test } from 'vitest';
import { importFile } from '../../testing/import-file.ts';
import { apiClient } from '../../testing/running-server.ts';
import { shareTestServer } from '../../testing/shared-server.ts';
import { expectScanpy, fixtures, order, references, trajectoryPath } from './own-graph.test-data.ts';

const { own } = references;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  const server = await shareTestServer((settings) =>
    importFile(settings, { path: join(fixtures, 'own-graph.h5ad'), id: 'own.h5ad' }),
  );
  api = apiClient(server, await server.signIn('professional'), 'own-graph');
  await api.get('/api/dataset_analysis/own.h5ad');
});

test('a file with its own graph and no principal components is ordered as scanpy orders it', async () => {
  const root = { by: 'cell', barcode: own.root };
  const answer = await order(api, { groupby: own.groupby, root });
  expectScanpy(answer, own);
  const words =
    'neighbors of the file: 12 nearest cells of each, itself among them, by the distance "manhattan" in "X_latent"';
  expect(answer.neighbors).toContain(words);
  expect(answer.genes_csv).toContain('neighbors of the file');
  expect(answer.warnings.map(({ code }) => code)).not.toContain('path-not-checked');
});

test('a graph that is computed instead needs principal components', async () => {
  const { status, body } = await api.post(trajectoryPath, { groupby: own.groupby, graph: 'computed' });
  expect([status, body.code]).toEqual([422, 'no_components']);
});

test('modules of genes are found on the graph of the file as well', async () => {
  const request = { min_module_genes: 5, max_genes: 20, fdr: 0.5 };
  const { status, body } = await api.post('/api/perform-co-expression-analysis', request);
  expect([status, body.message]).toEqual([200, undefined]);
  expect(analysisCall(coExpression).answer.parse(body).neighbors).toContain(
    'neighbors of the file: 11 nearest other cells of each',
  );
});
