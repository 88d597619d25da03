import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchToFile } from './fetch-to-file.ts';

const ways: Readonly<Record<string, string>> = { '/moved': '/file', '/out': 'file:///etc/passwd' };
let folder: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-fetch-'));
  server = createServer(({ url = '' }, response) => {
    const location = ways[url];
    if (location === undefined) response.end('bytes');
    else response.writeHead(302, { location }).end();
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const fetched = (address: string) =>
  fetchToFile(address, folder, { onProgress: () => {}, signal: new AbortController().signal });

test('a file is downloaded through a redirect', async () => {
  const { path, remove } = await fetched(`${origin}/moved`);
  expect(await readFile(path, 'utf8')).toBe('bytes');
  await remove();
  expect(await readdir(join(folder, 'downloads'))).toEqual([]);
});

test('other protocols than https are refused, also in redirects', async () => {
  await expect(fetched(`${origin}/out`)).rejects.toMatchObject({
    name: 'CommandFailure',
    message: expect.stringContaining('file:///etc/passwd'),
  });
  await expect(fetched('http://example.org/file')).rejects.toThrow('https only');
});
