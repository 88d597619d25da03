import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeAnalysisDataset } from '../testing/analysis-dataset.ts';
import { apiClient, startTestServer, type TestServer } from '../testing/running-server.ts';

const id = 'quiet.h5ad';
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ METRICS_PORT: '0' }, ({ objectRoot }) =>
    writeAnalysisDataset(objectRoot, id),
  );
});
afterAll(() => server.close());

test('half a minute after the last call the figure cache is empty and the threads are replaced', async () => {
  const api = apiClient(server, await server.signIn('standard'), 'quiet');
  const cacheBytes = async (name: string) => {
    const text = await (await fetch(server.metricsUrl!)).text();
    return Number(new RegExp(`^cellfolio_cache_bytes\\{cache="${name}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const draw = () => api.post('/api/plot-umap-with-genes', { genes: ['GENE2'], violin_plot: false });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  try {
    await api.get(`/api/dataset_analysis/${id}`);
    await draw();
    expect(await cacheBytes('figures')).toBeGreaterThan(0);
    expect(await cacheBytes('expression')).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(31_000);
  } finally {
    vi.useRealTimers();
  }
  await expect.poll(() => cacheBytes('figures')).toBe(0);
  await expect.poll(() => cacheBytes('expression')).toBe(0);
  await draw();
  expect(await cacheBytes('figures')).toBeGreaterThan(0);
}, 180_000);
