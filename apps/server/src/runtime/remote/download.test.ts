import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { download, type DownloadOptions } from './download.ts';

const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 31) % 251));
let folder: string;
let server: Server;
let origin: string;
/** Ranges that were asked for, in order. */
let ranges: (string | undefined)[];
let answer: (request: IncomingMessage, response: ServerResponse, nth: number) => void;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-download-'));
  ranges = [];
  server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response, ranges.length);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Answers with the rest that is asked for, or with so many bytes of it before the connection breaks. */
function serve({ headers }: IncomingMessage, response: ServerResponse, upTo = Infinity, etag = '"one"') {
  const from = headers['if-range'] === etag ? Number(/\d+/.exec(headers.range ?? '')?.[0] ?? 0) : 0;
  const rest = content.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    etag,
    'content-length': rest.length,
    ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
  });
  // Not at once: the connection would lose what has just been written.
  response.write(rest.subarray(0, upTo), () =>
    upTo < rest.length ? setTimeout(() => response.destroy(), 30) : response.end(),
  );
}

const fetched = (path = '/a%20file.h5ad', more: Partial<DownloadOptions> = {}) =>
  download(origin + path, folder, { signal: new AbortController().signal, pauses: [1, 1], ...more });

describe('downloading a file', () => {
  test('each pause before another attempt is told with what happened', async () => {
    answer = (request, response, nth) => (nth < 3 ? void request.socket.destroy() : serve(request, response));
    const pauses: string[] = [];
    await fetched('/a.h5ad', { onPause: ({ reason, seconds }) => pauses.push(`${reason}, ${seconds}`) });
    expect(pauses).toEqual(['the connection broke, 1', 'the connection broke, 1']);
  });

  test('of a part no more is fetched, and it goes on where it broke', async () => {
    answer = (request, response, nth) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')!;
      const part = content.subarray(Number(first), Number(last) + 1);
      const range = `bytes ${first}-${last}/${content.length}`;
      response.writeHead(206, { etag: '"one"', 'content-range': range, 'content-length': part.length });
      response.write(part.subarray(0, nth === 1 ? 1000 : part.length), () =>
        nth === 1 ? setTimeout(() => response.destroy(), 30) : response.end(),
      );
    };
    const part = { offset: 5000, length: 3000, validator: '"one"' };
    const { path } = await fetched('/a.tar', { part, name: '../GSM1 cells.h5ad' });
    expect(path.endsWith('/GSM1-cells.h5ad')).toBe(true);
    expect((await readFile(path)).equals(content.subarray(5000, 8000))).toBe(true);
    expect(ranges).toEqual(['bytes=5000-7999', 'bytes=6000-7999']);
  });

  test('it gets the name of the address, and removing it leaves nothing', async () => {
    answer = (request, response) => serve(request, response);
    const { path, remove } = await fetched();
    expect(path.endsWith('/a-file.h5ad')).toBe(true);
    expect((await readFile(path)).equals(content)).toBe(true);
    await remove();
    expect(await readdir(folder)).toEqual([]);
  });

  test('a broken connection is taken up where it broke, as often as more has arrived', async () => {
    answer = (request, response) => serve(request, response, 30_000);
    const { path } = await fetched();
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(ranges.slice(0, 3)).toEqual([undefined, 'bytes=30000-', 'bytes=60000-']);
    expect(ranges).toHaveLength(7);
  });

  test('a server that says nothing is given up and asked for the rest', async () => {
    answer = (request, response, nth) => {
      if (nth === 1) {
        response.writeHead(200, { etag: '"one"', 'content-length': content.length });
        response.write(content.subarray(0, 1000));
      } else {
        serve(request, response);
      }
    };
    const { path } = await fetched('/file.h5ad', { timeoutMilliseconds: 100 });
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(ranges).toEqual([undefined, 'bytes=1000-']);
  });

  test('what was kept by a download that failed is the beginning of the next one', async () => {
    answer = (request, response, nth) => (nth === 1 ? serve(request, response, 50_000) : response.destroy());
    await expect(fetched()).rejects.toThrow(/50000 of 200000 bytes are kept/);
    answer = (request, response) => serve(request, response);
    const { path } = await fetched();
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(ranges.at(-1)).toBe('bytes=50000-');
  });

  test('a file that has changed meanwhile is downloaded from its beginning', async () => {
    answer = (request, response, nth) => (nth === 1 ? serve(request, response, 50_000) : response.destroy());
    await expect(fetched()).rejects.toThrow(/are kept/);
    answer = (request, response) => serve(request, response, Infinity, '"two"');
    const { path } = await fetched();
    expect((await readFile(path)).equals(content)).toBe(true);
  });

  test('an error of the server loses nothing of what has arrived', async () => {
    answer = (request, response, nth) =>
      nth === 1
        ? serve(request, response, 50_000)
        : nth === 2
          ? void response.writeHead(503).end()
          : serve(request, response);
    await fetched();
    expect(ranges).toEqual([undefined, 'bytes=50000-', 'bytes=50000-']);
  });
});

describe('what is refused', () => {
  const sent = (status: number, headers: Record<string, string> = {}, body = '<html>') => {
    answer = (_request, response) => void response.writeHead(status, headers).end(body);
  };

  test('a page in place of a file, a missing file and an empty one', async () => {
    sent(200, { 'content-type': 'text/html; charset=utf-8' });
    await expect(fetched()).rejects.toThrow('the server answered with text/html, not with a dataset.');
    sent(404);
    await expect(fetched()).rejects.toThrow('the server answered 404.');
    sent(200, {}, '');
    await expect(fetched()).rejects.toThrow('the file is empty.');
    expect(ranges).toHaveLength(3);
  });

  test('more than may be written, announced or not', async () => {
    answer = (request, response) => serve(request, response);
    await expect(fetched('/a', { maxBytes: 1000 })).rejects.toThrow('larger than 1000 bytes');
    answer = (_request, response) => void response.writeHead(200).end(content);
    await expect(fetched('/a', { maxBytes: 1000 })).rejects.toThrow('larger than 1000 bytes');
  });

  test('other protocols than https, also in redirects, and names that lead out of the folder', async () => {
    sent(302, { location: 'file:///etc/passwd' });
    await expect(fetched()).rejects.toThrow('file:///etc/passwd');
    await expect(
      download('http://example.org/file', folder, { signal: new AbortController().signal }),
    ).rejects.toThrow('https only');
    answer = (request, response) => serve(request, response);
    const { path } = await fetched('/x/..%2F..%2Fevil.h5ad');
    expect(path.startsWith(folder)).toBe(true);
    expect(path.endsWith('/evil.h5ad')).toBe(true);
  });

  test('a download that is cancelled ends at once', async () => {
    answer = (_request, response) => void response.writeHead(200).write('a');
    const controller = new AbortController();
    const waiting = fetched('/a', { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
