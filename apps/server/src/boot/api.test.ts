import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { datasetAnalysis, datasetMetadata, plotUmapWithGenesAnswer, publicConfig } from '@cellfolio/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/running-server.ts';
import { writeTinyDataset } from '../testing/tiny-dataset.ts';

const tiny = 'tiny.h5ad';
let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer(
    {},
    async ({ objectRoot }) => {
      await writeTinyDataset(objectRoot, tiny);
      await writeTinyDataset(objectRoot, 'other.h5ad', { name: 'Other', disease: '__proto__' });
    },
    { maxGenesPerCall: 3 },
  );
  token = await server.signIn('standard');
});

afterAll(() => server.close());

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

async function call(
  path: string,
  { method = 'GET', headers = server.headers(token), body, signal }: Call = {},
) {
  const answer = await fetch(`${server.siteUrl}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function json(path: string, options?: Call) {
  const { status, text } = await call(path, options);
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

const plot = (body: unknown, tab = 'plots') =>
  json('/api/plot-umap-with-genes', { method: 'POST', headers: server.headers(token, tab), body });

const open = (id: string, tab = 'plots') =>
  json(`/api/dataset_analysis/${encodeURIComponent(id)}`, { headers: server.headers(token, tab) });

describe('before signing in', () => {
  test('the health check responds', async () => {
    expect(await json('/healthz', { headers: {} })).toEqual({ status: 200, body: { status: 'ok' } });
  });

  test('the public settings have the address of the request', async () => {
    const { body } = await json('/config.json', { headers: {} });
    expect(publicConfig.parse(body)).toMatchObject({
      supabaseUrl: server.siteUrl,
      analysisUrl: server.siteUrl,
    });
  });

  test('demo passwords are sent to this machine only, and only by its own names', async () => {
    const hasDemoAccounts = async (headers: Record<string, string>) => {
      const clientRequest = request(`${server.siteUrl}/config.json`, { headers }).end();
      const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage];
      return 'demoAccounts' in ((await readJson(answer)) as object);
    };
    expect(await hasDemoAccounts({})).toBe(true);
    expect(await hasDemoAccounts({ host: 'localhost:3000' })).toBe(true);
    expect(await hasDemoAccounts({ host: 'rebound.example:3000' })).toBe(false);
    expect(await hasDemoAccounts({ 'x-forwarded-for': '198.51.100.7' })).toBe(false);
  });

  test('the catalogue requires only the key, and accepts a bearer token beside it', async () => {
    const key = { 'x-api-key': server.config.apiKey };
    for (const headers of [key, { ...key, authorization: `Bearer ${token}` }]) {
      const { status, body } = await json('/api/dataset_metadata', { headers });
      expect(status).toBe(200);
      const catalogue = datasetMetadata.parse(body);
      expect(catalogue['Breast Cancer']?.['Triple-negative']?.[0]).toMatchObject({
        dataset_filename: tiny,
        cell_count: 60,
        gene_count: 4,
        simulated: false,
        patient_metadata: { age_group: ['adult', 'aged'] },
      });
    }
  });

  test.each(['/api/dataset_metadata', `/api/dataset_analysis/${tiny}`])(
    '%s refuses a missing or wrong key',
    async (path) => {
      expect(await json(path, { headers: {} })).toMatchObject({
        status: 401,
        body: { code: 'missing_api_key' },
      });
      const wrong = { ...server.headers(token), 'x-api-key': 'wrong' };
      expect(await json(path, { headers: wrong })).toMatchObject({
        status: 401,
        body: { code: 'invalid_api_key' },
      });
    },
  );

  test('analysis calls refuse a missing, forged or altered token', async () => {
    const key = { 'x-api-key': server.config.apiKey };
    const path = `/api/dataset_analysis/${tiny}`;
    expect(await json(path, { headers: key })).toMatchObject({
      status: 401,
      body: { code: 'missing_token' },
    });
    const [head, payload, signature] = token.split('.');
    const altered = `${head}.${Buffer.from('{"sub":"x"}').toString('base64url')}.${signature}`;
    for (const bad of ['nonsense', altered, `${head}.${payload}.AAAA`, server.config.apiKey]) {
      const headers = { ...key, authorization: `Bearer ${bad}` };
      expect(await json(path, { headers }), bad).toMatchObject({
        status: 401,
        body: { code: 'invalid_token' },
      });
    }
  });

  test('a personal key suffices for every call, until it is revoked', async () => {
    const rpc = (name: string, body: object) =>
      fetch(`${server.siteUrl}/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: {
          apikey: server.config.publishableKey,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      }).then((answer) => answer.json());
    const [apiKey] = (await rpc('create_api_key', { key_name: 'scripts' })) as { id: string; key: string }[];
    const headers = { 'x-api-key': apiKey!.key };
    const opened = await call(`/api/dataset_analysis/${tiny}`, { headers });
    // Shared caches do not know that this header identifies a user.
    expect([opened.status, opened.headers.get('cache-control')]).toEqual([200, 'no-store']);
    // It is valid for /api only, not for rows or the account.
    for (const path of ['/rest/v1/user_files', '/auth/v1/user', '/storage/v1/bucket']) {
      const { text } = await call(path, { headers: { apikey: apiKey!.key } });
      expect(text).toContain('Invalid API key');
    }
    const answer = await json('/api/plot-umap-with-genes', {
      method: 'POST',
      headers,
      body: { genes: ['CD79A'] },
    });
    expect(answer).toMatchObject({ status: 200, body: { found_genes: ['CD79A'] } });
    expect(await rpc('revoke_api_key', { key_id: apiKey!.id })).toBe(true);
    expect(await json(`/api/dataset_analysis/${tiny}`, { headers })).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    });
  });

  test('the default UMAP is a public image, and is not sent again when it is cached', async () => {
    const answer = await fetch(`${server.siteUrl}/api/datasets/${tiny}/umap.png`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await answer.arrayBuffer()).slice(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    const again = await call(`/api/datasets/${tiny}/umap.png`, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });
});

describe('opening a dataset', () => {
  test('the response has cell types, genes, clusters and metadata with counts', async () => {
    const { status, body } = await open(tiny);
    expect(status).toBe(200);
    expect(datasetAnalysis.parse(body)).toMatchObject({
      cell_types: ['B cell', 'T cell', '<script>alert(1)</script>'],
      gene_library: ['CD79A', 'CST3', 'MALAT1', 'SILENT'],
      leiden_clusters: ['0', '1'],
      patient_metadata: { age_group: ['adult', 'aged'] },
      patient_metadata_counts: { age_group: [30, 30] },
      cell_type_counts: { 'B cell': 20 },
      cell_count: 60,
      warnings: [{ code: 'test-warning' }],
    });
  });

  test.each(['nowhere.h5ad', '../../etc/passwd', '..%2f', '%00'])(
    'an unknown dataset %o is not found',
    async (id) => {
      expect(await open(id)).toMatchObject({ status: 404, body: { code: 'dataset_not_found' } });
    },
  );

  test('a tab without a dataset gets the error that none is loaded', async () => {
    const { status, body } = await plot({ genes: ['CD79A'] }, 'fresh-tab');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'no_dataset_loaded',
      message: expect.stringContaining('No dataset loaded'),
    });
  });

  test('each tab has its own open dataset', async () => {
    await open(tiny, 'left');
    await open('other.h5ad', 'right');
    const names = await Promise.all(
      ['left', 'right'].map(async (tab) => (await plot({ genes: ['CD79A'] }, tab)).body),
    );
    const datasets = names.map((body) =>
      JSON.stringify(plotUmapWithGenesAnswer.parse(body).plots[0]?.figure),
    );
    expect(datasets[0]).toContain('Tiny');
    expect(datasets[1]).toContain('Other');
  });

  test('users do not share open datasets', async () => {
    await open(tiny, 'shared-name');
    const other = await server.signIn('professional');
    const { status } = await json('/api/plot-umap-with-genes', {
      method: 'POST',
      headers: server.headers(other, 'shared-name'),
      body: { genes: ['CD79A'] },
    });
    expect(status).toBe(400);
  });
});

describe('gene plots', () => {
  beforeAll(() => open(tiny));

  test('genes are found in any case, and unknown ones are listed', async () => {
    const { status, body } = await plot({ genes: ['cd79a', 'CST3', 'NOT_A_GENE'], violin_plot: false });
    expect(status).toBe(200);
    const answer = plotUmapWithGenesAnswer.parse(body);
    expect(answer.found_genes).toEqual(['CD79A', 'CST3']);
    expect(answer.not_found_genes).toEqual(['NOT_A_GENE']);
    expect(answer.plots.map(({ gene, plot_type }) => [gene, plot_type])).toEqual([
      ['CD79A', 'umap'],
      ['CST3', 'umap'],
    ]);
    const png = Buffer.from(answer.plots[0]!.image.value.split(',')[1]!, 'base64');
    expect(png.readUInt32BE(16)).toBe(answer.plots[0]!.image.width);
    expect(png.readUInt32BE(20)).toBe(answer.plots[0]!.image.height);
  });

  test('an error explains that the dataset has none of the genes', async () => {
    const { status, body } = await plot({ genes: ['NOT_A_GENE'], violin_plot: false });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'no_genes_found', details: { not_found_genes: ['NOT_A_GENE'] } });
    expect(body.message).toContain('NOT_A_GENE');
  });

  test('violins by cell type follow the UMAP of each gene', async () => {
    const { body } = await plot({ genes: ['CD79A', 'SILENT'], violin_plot: true });
    expect(plotUmapWithGenesAnswer.parse(body).plots.map(({ gene, plot_type }) => [gene, plot_type])).toEqual(
      [
        ['CD79A', 'umap'],
        ['CD79A', 'violin'],
        ['SILENT', 'umap'],
        ['SILENT', 'violin'],
      ],
    );
  });

  test('a repeated gene is drawn once, and the same figure has the same bytes', async () => {
    const first = plotUmapWithGenesAnswer.parse((await plot({ genes: ['CD79A', 'cd79a'] })).body);
    const second = plotUmapWithGenesAnswer.parse((await plot({ genes: ['CD79A'] })).body);
    expect(first.plots).toHaveLength(1);
    expect(first.plots).toEqual(second.plots);
  });

  test.each([
    ['no gene', { genes: [] }, 'genes'],
    ['no list', {}, 'genes'],
    ['a number for a gene', { genes: [7] }, 'genes.0'],
    ['a text for the list', { genes: 'CD79A' }, 'genes'],
    ['a blank gene', { genes: ['  '] }, 'genes.0'],
    ['a word for the switch', { genes: ['CD79A'], violin_plot: 'yes' }, 'violin_plot'],
  ])('%s is refused with the name of the field', async (_what, body, field) => {
    const answer = await plot(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', details: [{ field }] } });
  });

  test('more genes than the maximum are refused with the maximum in the message', async () => {
    const answer = await plot({ genes: ['A', 'B', 'C', 'D'] });
    expect(answer).toMatchObject({ status: 400, body: { code: 'too_many_genes', details: { limit: 3 } } });
  });

  test.each([
    ['broken JSON', '{"genes": [', 400, 'invalid_request'],
    ['an empty body', '', 400, 'invalid_request'],
    ['a body over the limit', JSON.stringify({ genes: ['A'.repeat(2_000_000)] }), 413, 'body_too_large'],
  ])('%s is refused with a message', async (_what, body, status, code) => {
    const answer = await plot(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code, message: expect.any(String) });
  });

  test('an invalid session id is refused', async () => {
    const headers = { ...server.headers(token), 'x-session-id': "a'; drop table users" };
    const answer = await json('/api/plot-umap-with-genes', {
      method: 'POST',
      headers,
      body: { genes: ['CD79A'] },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_session_id' } });
  });

  test('progress of a call can be watched by its own user', async () => {
    const headers = { ...server.headers(token, 'plots'), 'x-request-id': 'watched-call' };
    // Its headers come when it watches.
    const watching = await fetch(`${server.siteUrl}/api/progress/watched-call`, { headers });
    await call('/api/plot-umap-with-genes', { method: 'POST', headers, body: { genes: ['CST3', 'CD79A'] } });
    const text = await watching.text();
    expect(text).toContain('data: {"stage"');
    expect(text).toContain('event: end');
  });
});

describe('other paths', () => {
  test('an unknown call is an error, not a page', async () => {
    const answer = await json('/api/nothing', { headers: { accept: 'text/html' } });
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('the OpenAPI document is served', async () => {
    const { body } = await json('/api/openapi.json', { headers: {} });
    expect(Object.keys(body.paths as object)).toContain('/api/plot-umap-with-genes');
  });

  test('each answer of /api has the version of the server in a header, as the OpenAPI document has it', async () => {
    const file = new URL('../../../../package.json', import.meta.url);
    const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
    const answers = {
      done: call('/api/dataset_metadata'),
      head: call('/api/openapi.json', { method: 'HEAD', headers: {} }),
      refused: call('/api/dataset_metadata', { headers: {} }),
      unknown: call('/api/no-such-call'),
      wrong: call('/api/plot-umap-with-genes', { method: 'POST', body: '{' }),
      health: call('/healthz', { headers: {} }),
    };
    const versions: Record<string, unknown[]> = {};
    for (const [name, answer] of Object.entries(answers)) {
      const { status, headers } = await answer;
      versions[name] = [status, headers.get('cellfolio-version')];
    }
    expect(versions).toEqual({
      done: [200, version],
      head: [200, version],
      refused: [401, version],
      unknown: [404, version],
      wrong: [400, version],
      health: [200, null],
    });
    const { body } = await json('/api/openapi.json', { headers: {} });
    expect(body).toMatchObject({ info: { version } });
  });

  test('responses have security headers', async () => {
    const { headers } = await call('/healthz', { headers: {} });
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
