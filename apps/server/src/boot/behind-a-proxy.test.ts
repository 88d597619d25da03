import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quickSettings } from '../testing/running-server.ts';
import { trustProxyOf } from './app.ts';
import { readSettings } from './settings/read-settings.ts';
import { startServer } from './start-server.ts';
import type { RunningServer } from './open-process.ts';

/** A production setup with one process: the embedded database, on loopback behind a proxy. */
const site = 'https://cells.example.org';
let server: RunningServer;
let dataDir: string;
let here: string;
let config: Record<string, unknown> & { publishableKey: string; features: { checkout: boolean } };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellfolio-proxied-'));
  const port = await freePort();
  const settings = quickSettings({
    PORT: String(port),
    DATA_DIR: dataDir,
    SITE_URL: site,
    TRUST_PROXY: '127.0.0.1',
    METRICS_PORT: '0',
  });
  await copyTestDatabase(dataDir);
  server = await startServer(settings);
  here = `http://127.0.0.1:${port}`;
  config = (await (await fetch(`${here}/config.json`)).json()) as typeof config;
});
afterAll(async () => {
  await server?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const ask = (path: string, init: RequestInit = {}) =>
  fetch(here + path, {
    redirect: 'manual',
    ...init,
    headers: { apikey: config.publishableKey, ...(init.headers as Record<string, string>) },
  });

test.each([
  ['a page', '/', {}],
  ['a page of the tool', '/explorer', { headers: { accept: 'text/html' } }],
  ['a missing file', '/assets/none.js', {}],
  ['an unknown call', '/api/none', {}],
  ['a refused call', '/api/own-files', {}],
  ['a body that is too large', '/api/render-figure', { method: 'POST', body: 'x'.repeat(2_000_000) }],
  ['the public settings', '/config.json', {}],
  ['the public keys', '/auth/v1/.well-known/jwks.json', {}],
  ['a refused sign-in', '/auth/v1/token?grant_type=password', { method: 'POST', body: '{"a' }],
  ['a link of a mail', '/auth/v1/verify?token=none&type=signup', {}],
  ['a preflight', '/rest/v1/user_files', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } }],
  ['refused rows', '/rest/v1/none', {}],
  ['a refused file', '/storage/v1/object/public/none/none', {}],
  ['a refused upload', '/storage/v1/upload/resumable', { method: 'OPTIONS' }],
  ['an unknown function', '/functions/v1/none', {}],
])('%s is answered with the headers of all responses', async (_case, path, init) => {
  const { headers } = await ask(path, init);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'self';base-uri 'none';object-src 'none';frame-ancestors 'none';form-action 'self';script-src 'self'[^;]*;.*connect-src 'self';upgrade-insecure-requests$/,
    ),
    'strict-transport-security': expect.stringContaining('max-age='),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': expect.stringMatching(/^(?:strict-origin-when-cross-origin|no-referrer)$/),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
});

test('an invalid address is an error, not a page', async () => {
  const { status, headers } = await ask('/api/dataset_analysis/%ff');
  expect(status).toBe(400);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
});

test('a request with two Host headers is refused, with security headers', async () => {
  const { hostname, port } = new URL(here);
  const socket = connect(Number(port), hostname);
  socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer.toLowerCase()).toContain('x-frame-options: deny');
});

test('other sites cannot read responses of /api', async () => {
  const { headers } = await ask('/api/dataset_metadata', { headers: { origin: 'https://evil.example' } });
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('loopback behind a proxy has neither demo accounts nor a test checkout', () => {
  expect(server.demoAccounts).toEqual([]);
  expect(config).not.toHaveProperty('demoAccounts');
  expect(config.features.checkout).toBe(false);
});

test('metrics are not on the port of the site', async () => {
  expect((await fetch(new URL('/metrics', server.metricsUrl))).status).toBe(200);
  expect((await ask('/metrics')).status).toBe(404);
});

test('a link in a mail leads to the site, whatever redirect is requested', async () => {
  const link = '/auth/v1/verify?token=none&type=signup';
  for (const path of [link, `${link}&redirect_to=${encodeURIComponent('https://evil.example/')}`]) {
    const { status, headers } = await ask(path, {
      headers: { redirect_to: 'https://evil.example/', 'x-forwarded-host': 'evil.example' },
    });
    expect([status, new URL(headers.get('location')!).origin]).toEqual([303, site]);
  }
});

test('sign-in attempts are counted by the address that the proxy saw, not by a forged one', async () => {
  const guess = async (forwardedFor: string) =>
    (
      await ask('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
        body: JSON.stringify({ email: 'ada@example.org', password: 'guess' }),
      })
    ).status;
  const statuses = [];
  for (let time = 1; time <= 11; time += 1) statuses.push(await guess(`192.0.2.${time}, 198.51.100.7`));
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  expect(await guess('192.0.2.1, 198.51.100.8')).toBe(400);
});

test.each([
  ['10.0.0.7', '10.0.0.7', '198.51.100.7'],
  ['10.0.0.7', '::ffff:10.0.0.7', '198.51.100.7'],
  ['10.0.0.7', '10.0.0.8', '10.0.0.8'],
  ['10.244.0.0/16,192.0.2.1', '10.244.3.9', '198.51.100.7'],
  ['10.244.0.0/16,192.0.2.1', '10.245.3.9', '10.245.3.9'],
  ['true', '10.0.0.8', '198.51.100.7'],
  ['false', '10.0.0.7', '10.0.0.7'],
])('with TRUST_PROXY=%s a call that %s forwards is of %s', async (setting, remoteAddress, ip) => {
  const app = fastify({ trustProxy: trustProxyOf(readSettings({ TRUST_PROXY: setting }).trustedProxies) });
  app.get('/', async (request) => request.ip);
  const headers = { 'x-forwarded-for': '192.0.2.9, 198.51.100.7' };
  expect((await app.inject({ url: '/', remoteAddress, headers })).body).toBe(ip);
});
