import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { securityHeadersPlugin } from './security-headers.ts';
import { webAppPlugin } from './web-app.ts';

const html = { accept: 'text/html' };
let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-web-app-'));
  await mkdir(join(folder, 'blog'));
  await mkdir(join(folder, 'assets'));
  const files: Record<string, string> = {
    'index.html': '<link rel="canonical" href="https://site-url.invalid/">',
    'features.html': '<script>one()</script>features at https://site-url.invalid/features',
    'blog/one.html': 'article one',
    'pricing.html':
      '<html data-trial-length="trial-length.invalid">Free for trial-length.invalid, with user-storage.invalid.',
    'app.html': 'the tool',
    'robots.txt': 'Sitemap: https://site-url.invalid/sitemap.xml',
    'sitemap.xml': '<urlset/>',
    'assets/code-abc.js': 'export {}',
    'favicon.svg': '<svg/>',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  app = fastify();
  await app.register(securityHeadersPlugin, { secure: false, connectTo: [], captchaSources: [] });
  await app.register(
    async (service) => {
      service.get('/user', async () => 'a user');
      service.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ code: 'our own words' }));
    },
    { prefix: '/auth/v1' },
  );
  await app.register(webAppPlugin, {
    folder,
    siteUrl: 'https://cells.example',
    trialDays: 14,
    storageBytes: 1_500_000_000_000,
  });
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('each rendered page is served at its path, with the address of the site', async () => {
  const home = await app.inject({ url: '/', headers: html });
  expect(home.body).toBe('<link rel="canonical" href="https://cells.example/">');
  expect(home.headers['content-type']).toBe('text/html; charset=utf-8');
  expect((await app.inject({ url: '/features?utm=1', headers: html })).body).toContain(
    'https://cells.example/features',
  );
  expect((await app.inject('/blog/one')).body).toBe('article one');
  expect((await app.inject('/robots.txt')).body).toBe('Sitemap: https://cells.example/sitemap.xml');
  expect((await app.inject('/sitemap.xml')).headers['content-type']).toContain('application/xml');
});

test('pages state the length of the trial and the storage of a user', async () => {
  expect((await app.inject({ url: '/pricing', headers: html })).body).toBe(
    '<html data-trial-length="14 days">Free for 14 days, with 1500 GB.',
  );
});

test('a page that the browser has in its cache is not sent again', async () => {
  const { headers } = await app.inject('/features');
  const again = await app.inject({ url: '/features', headers: { 'if-none-match': String(headers['etag']) } });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe('');
});

test('every other path gets the page of the tool, except files', async () => {
  expect((await app.inject({ url: '/explorer', headers: html })).body).toBe('the tool');
  expect((await app.inject({ url: '/no/such/page', headers: html })).body).toBe('the tool');
  const code = await app.inject('/assets/code-abc.js');
  expect(code.headers['cache-control']).toContain('immutable');
  expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
});

test('pages are not served as files with placeholders, nor below service paths', async () => {
  expect((await app.inject('/features.html')).statusCode).toBe(404);
  expect((await app.inject({ url: '/api/none', headers: html })).statusCode).toBe(404);
  expect((await app.inject('/assets/none.js')).statusCode).toBe(404);
});

test('unknown paths of a service are answered by the service', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE'] as const) {
    const answer = await app.inject({ method, url: '/auth/v1/none', headers: html });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe(method === 'HEAD' ? '' : '{"code":"our own words"}');
  }
});

test('the policy of a page allows only the inline scripts of that page, by hash', async () => {
  const policyOf = async (url: string) =>
    /script-src ([^;]*)/.exec(
      String((await app.inject({ url, headers: html })).headers['content-security-policy']),
    )?.[1];
  const hash = createHash('sha256').update('one()').digest('base64');
  expect(await policyOf('/features')).toBe(`'self' 'sha256-${hash}'`);
  expect(await policyOf('/blog/one')).toBe("'self'");
  expect(await policyOf('/explorer')).toBe("'self'");
});
