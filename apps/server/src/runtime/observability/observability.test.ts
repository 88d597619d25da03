import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient, startTestServer, type TestServer } from '../../testing/running-server.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

const id = 'observed.h5ad';
const spans: Span[] = [];
let collector: Server;
let server: TestServer;

beforeAll(async () => {
  collector = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const payload = JSON.parse(Buffer.concat(pieces).toString()) as {
        resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
      };
      spans.push(...payload.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const collectorPort = await listening(collector);
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${collectorPort}`;
  server = await startTestServer({ METRICS_PORT: '0' }, ({ objectRoot }) =>
    writeAnalysisDataset(objectRoot, id),
  );
});
afterAll(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  collector.close();
});

test('a call and the reads of its figure are one trace, and metrics have a port of their own', async () => {
  const token = await server.signIn('standard');
  const api = apiClient(server, token, 'observed');
  await api.get(`/api/dataset_analysis/${id}`);
  await api.post('/api/plot-umap-with-genes', { genes: ['GENE1'], violin_plot: false });
  expect((await fetch(`${server.siteUrl}/readyz`)).status).toBe(200);

  expect((await fetch(`${server.siteUrl}/metrics`)).headers.get('content-type')).not.toContain(
    'version=0.0.4',
  );
  const text = await (await fetch(server.metricsUrl!)).text();
  expect(text).toMatch(/^cellfolio_compute_task_duration_seconds_count\{kind="draw",outcome="done"\} 1$/m);
  expect(Number(/^cellfolio_dataset_reads_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
  expect(text).toMatch(/^cellfolio_database_connections\{state="idle"\} \d+$/m);
  expect(text).toMatch(/^cellfolio_calls_running 0$/m);
  for (const part of ['program', 'database', 'tables and stores', 'services']) {
    expect(text).toMatch(
      new RegExp(`^cellfolio_start_duration_seconds\\{part="${part}"\\} \\d+(?:\\.\\d+)?$`, 'm'),
    );
  }
  expect(text).toMatch(/^cellfolio_jobs\{kind="build",state="queued"\} 0$/m);
  expect(text).toMatch(/^cellfolio_table_bytes\{table="public.generated_images"\} [1-9]\d*$/m);
  // The first figure was a cache miss here; its gene was one in the thread.
  const cache = (number: string, name: string) =>
    Number(new RegExp(`^cellfolio_cache_${number}\\{cache="${name}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  expect([cache('hits_total', 'figures'), cache('misses_total', 'figures')]).toEqual([0, 1]);
  expect(cache('bytes', 'figures')).toBeGreaterThan(1000);
  expect(cache('limit_bytes', 'figures')).toBe(server.settings.figureCacheBytes);
  expect([cache('hits_total', 'expression'), cache('misses_total', 'expression')]).toEqual([0, 1]);
  expect(cache('bytes', 'expression')).toBeGreaterThan(0);
  // Health checks work on the metrics port too.
  for (const probe of ['healthz', 'readyz']) {
    expect((await fetch(new URL(probe, server.metricsUrl))).status).toBe(200);
  }

  // Closing flushes the spans.
  await server.close();
  const call = spans.find(({ name }) => name === 'POST /api/plot-umap-with-genes')!;
  const task = spans.find(
    ({ name, parentSpanId }) => name === 'compute draw' && parentSpanId === call.spanId,
  )!;
  const reads = spans.filter(({ name, parentSpanId }) => name === 'read' && parentSpanId === task.spanId);
  expect(reads.length).toBeGreaterThan(0);
  for (const span of [task, ...reads]) {
    expect(span.traceId).toBe(call.traceId);
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(
      BigInt(call.startTimeUnixNano) - 2_000_000n,
    );
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(call.endTimeUnixNano) + 2_000_000n);
  }
});

function listening(server: Server): Promise<number> {
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port));
  });
}
