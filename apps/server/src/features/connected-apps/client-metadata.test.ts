import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClientMetadata } from './client-metadata.ts';

let requests: string[] = [];
let url = '';
const server = createServer((request, response) => {
  const path = request.url!;
  requests.push(path);
  const document = {
    client_id: `${url}${path}`,
    client_name: 'App',
    redirect_uris: ['https://app.example/back'],
  };
  switch (path) {
    case '/moved.json':
      return response.writeHead(302, { location: `${url}/app.json` }).end();
    case '/missing.json':
      return response.writeHead(404).end(JSON.stringify(document));
    case '/long.json':
      return response.end(JSON.stringify({ ...document, more: 'x'.repeat(20_000) }));
    case '/text.json':
      return response.end('no JSON');
    case '/nameless.json':
      return response.end(JSON.stringify({ ...document, client_name: undefined }));
    case '/other.json':
      return response.end(JSON.stringify({ ...document, client_id: 'https://other.example/app.json' }));
    case '/hidden.json':
      return response.end(JSON.stringify({ ...document, client_name: '\u202e\u0000\u200b' }));
    default:
      return response.end(JSON.stringify({ ...document, logo_uri: 'https://app.example/logo.png' }));
  }
});
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const local = () => new ClientMetadata({ allowLoopback: true });

test('a document is read once in five minutes', async () => {
  requests = [];
  const clients = local();
  const id = `${url}/app.json`;
  const client = { id, name: 'App', redirectUris: ['https://app.example/back'] };
  expect(await Promise.all([clients.clientOf(id), clients.clientOf(id)])).toEqual([client, client]);
  expect(requests).toEqual(['/app.json']);
});

test('a name without a visible character is replaced by the host', async () => {
  expect(await local().clientOf(`${url}/hidden.json`)).toMatchObject({ name: new URL(url).host });
});

test.each(['moved', 'missing', 'long', 'text', 'nameless', 'other'])(
  'a document that is %s is refused, each time it is read',
  async (name) => {
    requests = [];
    const clients = local();
    for (const time of [1, 2]) {
      await expect(clients.clientOf(`${url}/${name}.json`)).rejects.toMatchObject({
        status: 400,
        code: 'invalid_client',
      });
      // No redirect is followed.
      expect(requests).toHaveLength(time);
    }
  },
);

test('nothing is fetched from this machine or a private network in production', async () => {
  requests = [];
  const clients = new ClientMetadata({ allowLoopback: false });
  const { port } = new URL(url);
  const ids = [
    `${url}/app.json`,
    `https://127.0.0.1:${port}/app.json`,
    `https://localhost:${port}/app.json`,
    `https://[::1]:${port}/app.json`,
    'https://10.0.0.1/app.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/app.json',
  ];
  for (const id of ids)
    await expect(clients.clientOf(id)).rejects.toMatchObject({ status: 400, code: 'invalid_client' });
  expect(requests).toEqual([]);
});

test.each([
  '',
  'app',
  'https://app.example',
  'https://app.example/',
  'https://app.example/app.json#part',
  'https://app.example/app.json?x=1',
  'https://user@app.example/app.json',
  'https://app.example/a/../app.json',
  'HTTPS://app.example/app.json',
  'file:///etc/passwd',
  'http://app.example/app.json',
])('%j is no client id', async (id) => {
  await expect(local().clientOf(id)).rejects.toMatchObject({ status: 400, code: 'invalid_client' });
});
