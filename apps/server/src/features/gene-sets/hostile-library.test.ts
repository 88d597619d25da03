import { FileObjectStore } from '@cellfolio/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoredLibraries } from './stored-libraries.ts';
import { hostile, writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';

let server: TestServer;
let api: ReturnType<typeof apiClient>;

const gmt = [
  [hostile, '', 'GENE1', 'GENE2', 'GENE3'],
  ['=HYPERLINK("http://x")', '', 'GENE1', 'GENE4'],
  ['A, "B"', '', 'GENE1', '=cmd|calc'],
]
  .map((line) => `${line.join('\t')}\n`)
  .join('');

beforeAll(async () => {
  server = await startTestServer({}, async ({ objectRoot }) => {
    await writeAnalysisDataset(objectRoot, 'analysis.h5ad');
    await new StoredLibraries(new FileObjectStore(objectRoot)).put({
      name: 'Hostile',
      bytes: new TextEncoder().encode(gmt),
      source: 'file',
      origin: 'hostile.gmt',
      replace: false,
    });
  });
  api = apiClient(server, await server.signIn('standard'), 'hostile');
  await api.get('/api/dataset_analysis/analysis.h5ad');
});
afterAll(() => server.close());

test('hostile set and gene names are harmless in table, preview and figure', async () => {
  const { status, body } = await api.post('/api/perform-pathway-analysis', {
    pathway_genes: ['GENE1', 'GENE2', '=cmd|calc'],
    library_name: 'Hostile',
    minimum_overlap: 1,
  });
  expect(status).toBe(200);
  const csv = body.analysis_csv as string;
  expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(csv).toContain('"A, ""B"""');
  expect(csv).toContain('"<script>alert(""x"")</script>"');
  expect(body.analysis_preview_table_html).not.toContain('<script');
  expect(body.analysis_preview_table_html).toContain('&lt;script&gt;');
  expect(body.library).toMatchObject({ name: 'Hostile', source: 'file', label: '', set_count: 3 });
  const svg = await api.post('/api/render-figure', { source: body.source, format: 'svg' });
  expect(new TextDecoder().decode(svg.body)).not.toContain('<script');
});
