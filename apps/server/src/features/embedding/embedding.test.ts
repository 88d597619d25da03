import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiHeaders, embeddedDataset } from '@cellfolio/contract';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { securityHeadersPlugin } from '../../runtime/http/security-headers.ts';
import { webAppPlugin } from '../../runtime/http/web-app.ts';
import { startTestServer, type TestServer } from '../../testing/running-server.ts';
import { writeTinyDataset } from '../../testing/tiny-dataset.ts';
import { embedPagePlugin } from './embed-page.ts';

const site = 'https://cells.example';
const origins = ['https://portal.example', 'http://127.0.0.1:8080'];
const hostile = `</script><script>alert("1")</script>&'$'$&`;
const publicId = 'patients.h5ad';
const missingIds = ['none.h5ad', 'custom:00000000-0000-4000-8000-000000000000'];

describe('the pages', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellfolio-embed-'));
    for (const name of ['index', 'app', 'embed'])
      await writeFile(join(folder, `${name}.html`), `<html><head></head><body>${name}</body></html>`);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function pagesOf(embedOrigins: readonly string[]) {
    const app = fastify();
    const catalogue = { name: hostile, simulated: false, gseAccessionNumber: 'GSE1' };
    const manifest = { id: publicId, version: 'v1', cellCount: 60, catalogue };
    await app.register(securityHeadersPlugin, { secure: false, connectTo: [], captchaSources: [] });
    await app.register(embedPagePlugin, {
      folder,
      origins: embedOrigins,
      siteUrl: site,
      apiKey: 'cf_key',
      catalogue: { find: async (id) => (id === publicId ? (manifest as never) : undefined) },
    });
    await app.register(webAppPlugin, { folder, siteUrl: site, trialDays: 7, storageBytes: 1 });
    return (url: string) => app.inject({ url, headers: { accept: 'text/html', cookie: 'session=1' } });
  }

  test('of an embedded view can be framed by this site and the sites that are named, and all other pages by none', async () => {
    const get = await pagesOf(origins);
    const page = await get(`/embed/${publicId}?gene=CD79A`);
    expect(page.statusCode).toBe(200);
    expect(String(page.headers['content-security-policy']).split(';')).toContain(
      `frame-ancestors 'self' ${origins.join(' ')}`,
    );
    expect(page.headers).not.toHaveProperty('x-frame-options');
    expect(page.headers).not.toHaveProperty('set-cookie');
    for (const path of ['/', '/explorer?dataset=x', '/embed', '/embedded', '/embed.html', '/oembed']) {
      const { headers } = await get(path);
      expect(String(headers['content-security-policy']).split(';'), path).toContain("frame-ancestors 'none'");
      expect(headers['x-frame-options'], path).toBe('DENY');
    }
  });

  test('have the name of a dataset as data, which ends no element', async () => {
    const { body } = await (await pagesOf(origins))(`/embed/${publicId}?column=a%22%3E%3Cb`);
    const [, json = ''] = /<script type="application\/json" id="embedded-dataset">([^<]*)<\/script>/.exec(
      body,
    )!;
    expect(embeddedDataset.parse(JSON.parse(json))).toEqual({
      filename: publicId,
      name: hostile,
      version: 'v1',
      cellCount: 60,
      simulated: false,
      accession: 'GSE1',
      apiKey: 'cf_key',
    });
    expect(body.match(/<script/g)).toHaveLength(1);
    const [, href = ''] = /<link rel="alternate" type="application\/json\+oembed" href="([^"]*)">/.exec(
      body,
    )!;
    const about = new URL(href.replaceAll('&amp;', '&'));
    expect(about.origin + about.pathname).toBe(`${site}/oembed`);
    expect(about.searchParams.get('url')).toBe(`${site}/embed/${publicId}?column=a%22%3E%3Cb`);
  });

  test('of a user’s dataset and of one that does not exist are the same, without data', async () => {
    const get = await pagesOf(origins);
    const answers = await Promise.all(missingIds.map((id) => get(`/embed/${encodeURIComponent(id)}`)));
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(404);
      expect(body).not.toContain('embedded-dataset');
    }
    const [one, other] = answers.map(({ body }) => body.replace(/<link[^>]*>/, ''));
    expect(one).toBe(other);
  });

  test('say that embedding is off where no sites are named, and cannot be framed', async () => {
    const { statusCode, body, headers } = await (await pagesOf([]))(`/embed/${publicId}`);
    expect([statusCode, body]).toEqual([404, expect.stringMatching(/^Embedding is off on this server\./)]);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
  });
});

describe('a server', () => {
  let server: TestServer;
  let closed: TestServer;
  beforeAll(async () => {
    const start = (environment: Record<string, string>) =>
      startTestServer({ DEMO: 'false', ...environment }, ({ objectRoot }) =>
        writeTinyDataset(objectRoot, publicId, { name: hostile }),
      );
    [server, closed] = await Promise.all([start({ EMBED_ORIGINS: origins.join() }), start({})]);
  });
  afterAll(async () => {
    await server?.close();
    await closed?.close();
  });

  const oembed = async (query: Record<string, string>, of = server) => {
    const answer = await fetch(`${of.siteUrl}/oembed?${new URLSearchParams(query)}`);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
  };

  test('answers oEmbed for a view of a public dataset with an escaped frame', async () => {
    const url = `${server.siteUrl}/embed/${publicId}?gene=CD79A`;
    const { status, body, headers } = await oembed({ url, format: 'json' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toEqual({
      version: '1.0',
      type: 'rich',
      provider_name: 'Cellfolio',
      provider_url: server.siteUrl,
      title: hostile,
      cache_age: 3600,
      width: 720,
      height: 480,
      html: `<iframe src="${url}" title="&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;'$'$&amp;" width="720" height="480" loading="lazy" style="border: 0; max-width: 100%"></iframe>`,
    });
  });

  test('embeds the first map of an address of the explorer, with the state of that map', async () => {
    const map = { camera: [0.5, 0.5, 2], cards: [{}, { range: [0, 1] }], kept: true };
    const query = new URLSearchParams({ dataset: publicId, map: JSON.stringify(map) });
    query.append('view', 'gene-violin:CST3');
    query.append('view', 'gene-umap:CST3');
    const { body } = await oembed({
      url: `${server.siteUrl}/explorer?${query}`,
      maxwidth: '300',
      maxheight: '250',
    });
    expect(body).toMatchObject({ width: 300, height: 250 });
    const [, src = ''] = /src="([^"]*)"/.exec((body as { html: string }).html)!;
    const { pathname, searchParams } = new URL(src.replaceAll('&amp;', '&'));
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      `/embed/${publicId}`,
      { gene: 'CST3', map: JSON.stringify({ camera: [0.5, 0.5, 2], cards: [{ range: [0, 1] }] }) },
    ]);
  });

  test('says of other addresses only that they are no view of a public dataset', async () => {
    const addresses = [
      ...missingIds.map((id) => `${server.siteUrl}/embed/${encodeURIComponent(id)}`),
      `https://elsewhere.example/embed/${publicId}`,
      `${server.siteUrl}/account`,
      `${server.siteUrl}/embed/${publicId}/more`,
      `${server.siteUrl}/embed/%zz`,
      'javascript:alert(1)',
      'none',
    ];
    const answers = await Promise.all(addresses.map((url) => oembed({ url })));
    expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 404));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const url = `${server.siteUrl}/embed/${publicId}`;
    expect(await oembed({ url, format: 'xml' })).toMatchObject({
      status: 501,
      body: { code: 'format_not_offered' },
    });
    expect((await oembed({ url, maxwidth: '-1' })).status).toBe(400);
    expect(await oembed({ url: url.replace(server.siteUrl, closed.siteUrl) }, closed)).toMatchObject({
      status: 404,
      body: { code: 'embedding_off' },
    });
    expect([server.config.features.embedding, closed.config.features.embedding]).toEqual([true, false]);
  });

  const visit = (of: TestServer, path: string, id = publicId, body?: unknown) =>
    fetch(of.siteUrl + path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        [apiHeaders.apiKey]: of.config.apiKey,
        [apiHeaders.demo]: id,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    });
  const draw = (of: TestServer, content: object, rest: object = { format: 'json' }) =>
    visit(of, '/api/render-figure', publicId, { source: { dataset_filename: publicId, content }, ...rest });

  test('lets a visitor read the maps of a public dataset where embedding is on, and nothing else of it', async () => {
    const columns = `/api/datasets/${publicId}/columns`;
    const maps = ['', '/embedding/X_umap', '/obs/age_group', '/gene/CD79A', '/cell/3'].map(
      (one) => columns + one,
    );
    for (const path of maps) {
      expect((await visit(server, path)).status, path).toBe(200);
      expect((await visit(closed, path)).status, path).toBe(401);
    }
    for (const content of [
      { kind: 'category-umap' },
      { kind: 'obs-umap', column: 'age_group' },
      { kind: 'gene-umap', gene: 'CD79A' },
    ]) {
      expect((await draw(server, content)).status, content.kind).toBe(200);
      expect((await draw(closed, content)).status, content.kind).toBe(401);
    }
    const violin = { kind: 'gene-violin', gene: 'CD79A' };
    expect((await draw(server, violin, { format: 'png' })).status).toBe(401);
    expect((await draw(server, { kind: 'category-umap' }, { format: 'png' })).status).toBe(401);
    expect((await visit(server, `/api/dataset_analysis/${publicId}`)).status).toBe(401);
  });

  test.each(missingIds)('tells a visitor nothing of %s', async (id) => {
    const path = `/api/datasets/${encodeURIComponent(id)}/columns`;
    expect((await visit(server, path, id)).status).toBe(401);
    expect((await visit(server, path)).status).toBe(401);
  });
});
