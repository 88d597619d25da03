import { beforeAll, expect, test } from 'vitest';
import { importPbmc68k } from '../../testing/import-file.ts';
import { apiClient } from '../../testing/running-server.ts';
import { shareTestServer } from '../../testing/shared-server.ts';
import { cellRows, expectScanpy, order, references } from './own-graph.test-data.ts';

const { blood } = references;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  const server = await shareTestServer(importPbmc68k);
  api = apiClient(server, await server.signIn('professional'), 'own-graph');
  await api.get('/api/dataset_analysis/pbmc.h5ad');
});

test('real cells are ordered on the graph of their file as scanpy orders them', async () => {
  const root = { by: 'cell', barcode: blood.root };
  const answer = await order(api, { groupby: blood.groupby, root });
  expectScanpy(answer, blood);
  const computed = await order(api, { groupby: blood.groupby, root, graph: 'computed' });
  expect(computed.neighbors).toContain('neighbors computed here: 15 nearest cells');
  expect(computed.cells_csv).not.toBe(answer.cells_csv);
});

test('the nearest neighbours of a subset are computed, and the answer gives the reason', async () => {
  const rows = cellRows(await order(api, { groupby: blood.groupby }));
  const [first] = rows;
  const labels = [...new Set(rows.map((row) => row[blood.groupby]!))].filter(
    (label) => label !== first![blood.groupby],
  );
  await api.post('/api/filter-active-dataset', {
    subset_group_name: 'most',
    patient_metadata_filter: true,
    patient_metadata: { bulk_labels: labels },
  });
  const answer = await order(api, { groupby: blood.groupby });
  expect(answer.neighbors).toContain('neighbors computed here');
  expect(answer.neighbors).toContain('not the graph of the file, which is of all cells');
});
