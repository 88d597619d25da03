import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { docsSitePlugin } from './docs-site.ts';
import { securityHeadersPlugin } from './security-headers.ts';
import { webAppPlugin } from './web-app.ts';

const html = { accept: 'text/html' };
let folder: string;
let app: FastifyInstance;
let unbuilt: FastifyInstance;

async function appOf(docs: string): Promise<FastifyInstance> {
  const one = fastify();
  await one.register(securityHeadersPlugin, { secure: false, connectTo: [], captchaSources: [] });
  await one.register(docsSitePlugin, { folder: docs });
  await one.register(webAppPlugin, {
    folder: join(folder, 'web'),
    siteUrl: '',
    trialDays: 1,
    storageBytes: 1,
  });
  return one;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-docs-site-'));
  const files: Record<string, string> = {
    'docs/index.html': 'home',
    'docs/404.html': 'no such page',
    'docs/api.html': 'the guide',
    'docs/analyses/index.html': 'all analyses',
    'docs/analyses/gradient.html': 'gradient',
    'docs/assets/code.abc.js': 'export {}',
    'docs/.built-from': 'abc',
    'web/index.html': 'home of the web app',
    'web/app.html': 'the tool',
    'web/assets/a.js': '',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  app = await appOf(join(folder, 'docs'));
  unbuilt = await appOf(join(folder, 'none'));
});

afterAll(async () => {
  await Promise.all([app.close(), unbuilt.close()]);
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = html) => app.inject({ url, headers });

test('pages of the documentation are at their paths without an ending', async () => {
  const bodies = ['/docs/', '/docs/api', '/docs/analyses/', '/docs/analyses/gradient', '/docs/api?q=1'];
  const answers = await Promise.all(bodies.map((url) => get(url)));
  expect(answers.map(({ body }) => body)).toEqual([
    'home',
    'the guide',
    'all analyses',
    'gradient',
    'the guide',
  ]);
  for (const { headers } of answers) {
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(/script-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]).toBe("'self'");
  }
  const home = await get('/docs');
  expect([home.statusCode, home.headers['location']]).toEqual([308, '/docs/']);
});

test('a page that the browser has in its cache is not sent again, and files with a hash never expire', async () => {
  const { headers } = await get('/docs/api');
  const again = await get('/docs/api', { 'if-none-match': String(headers['etag']) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  const script = await get('/docs/assets/code.abc.js');
  expect(script.headers['content-type']).toMatch(/javascript; charset=utf-8$/);
  expect(script.headers['cache-control']).toContain('immutable');
});

test('an unknown page, a hidden file and a path out of the folder get the page that says so, not the tool', async () => {
  for (const url of ['/docs/none', '/docs/.built-from', '/docs/analyses/none', '/docs/..%2fweb%2fapp.html']) {
    const { statusCode, body } = await get(url);
    expect([url, statusCode, body]).toEqual([url, 404, 'no such page']);
  }
  expect((await get('/explorer')).body).toBe('the tool');
});

test('without a build the answer says how to make one', async () => {
  for (const url of ['/docs', '/docs/api']) {
    const answer = await unbuilt.inject({ url, headers: html });
    expect(answer.statusCode).toBe(404);
    expect(answer.json<{ message: string }>().message).toContain('npm run build');
  }
});
