import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { download } from './download.ts';
import { content, serve, serverWithFaults } from './server-with-faults.test-data.ts';

const at = serverWithFaults();

describe('downloading a file', () => {
  test('each pause before another attempt is told with what happened', async () => {
    at.answer = (request, response, nth) =>
      nth < 3 ? void request.socket.destroy() : serve(request, response);
    const pauses: string[] = [];
    await at.fetched('/a.h5ad', { onPause: ({ reason, seconds }) => pauses.push(`${reason}, ${seconds}`) });
    expect(pauses).toEqual(['the connection broke, 1', 'the connection broke, 1']);
  });

  test('of a part no more is fetched, and it goes on where it broke', async () => {
    at.answer = (request, response, nth) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')!;
      const part = content.subarray(Number(first), Number(last) + 1);
      const range = `bytes ${first}-${last}/${content.length}`;
      response.writeHead(206, { etag: '"one"', 'content-range': range, 'content-length': part.length });
      response.write(part.subarray(0, nth === 1 ? 1000 : part.length), () =>
        nth === 1 ? setTimeout(() => response.destroy(), 30) : response.end(),
      );
    };
    const part = { offset: 5000, length: 3000, validator: '"one"' };
    const { path } = await at.fetched('/a.tar', { part, name: '../GSM1 cells.h5ad' });
    expect(path.endsWith('/GSM1-cells.h5ad')).toBe(true);
    expect((await readFile(path)).equals(content.subarray(5000, 8000))).toBe(true);
    expect(at.ranges).toEqual(['bytes=5000-7999', 'bytes=6000-7999']);
  });

  test('it gets the name of the address, and removing it leaves nothing', async () => {
    at.answer = (request, response) => serve(request, response);
    const { path, remove } = await at.fetched();
    expect(path.endsWith('/a-file.h5ad')).toBe(true);
    expect((await readFile(path)).equals(content)).toBe(true);
    await remove();
    expect(await readdir(at.folder)).toEqual([]);
  });

  test('a broken connection is taken up where it broke, as often as more has arrived', async () => {
    at.answer = (request, response) => serve(request, response, 30_000);
    const { path } = await at.fetched();
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(at.ranges.slice(0, 3)).toEqual([undefined, 'bytes=30000-', 'bytes=60000-']);
    expect(at.ranges).toHaveLength(7);
  });

  test('a server that says nothing is given up and asked for the rest', async () => {
    at.answer = (request, response, nth) => {
      if (nth === 1) {
        response.writeHead(200, { etag: '"one"', 'content-length': content.length });
        response.write(content.subarray(0, 1000));
      } else {
        serve(request, response);
      }
    };
    const { path } = await at.fetched('/file.h5ad', { timeoutMilliseconds: 600 });
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(at.ranges).toEqual([undefined, 'bytes=1000-']);
  });

  test('what was kept by a download that failed is the beginning of the next one', async () => {
    at.answer = (request, response, nth) =>
      nth === 1 ? serve(request, response, 50_000) : response.destroy();
    await expect(at.fetched()).rejects.toThrow(/50000 of 200000 bytes are kept/);
    at.answer = (request, response) => serve(request, response);
    const { path } = await at.fetched();
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(at.ranges.at(-1)).toBe('bytes=50000-');
  });

  test('a file that has changed meanwhile is downloaded from its beginning', async () => {
    at.answer = (request, response, nth) =>
      nth === 1 ? serve(request, response, 50_000) : response.destroy();
    await expect(at.fetched()).rejects.toThrow(/are kept/);
    at.answer = (request, response) => serve(request, response, Infinity, '"two"');
    const { path } = await at.fetched();
    expect((await readFile(path)).equals(content)).toBe(true);
  });

  test('an error of the server loses nothing of what has arrived', async () => {
    at.answer = (request, response, nth) =>
      nth === 1
        ? serve(request, response, 50_000)
        : nth === 2
          ? void response.writeHead(503).end()
          : serve(request, response);
    await at.fetched();
    expect(at.ranges).toEqual([undefined, 'bytes=50000-', 'bytes=50000-']);
  });
});

describe('what is refused', () => {
  const sent = (status: number, headers: Record<string, string> = {}, body = '<html>') => {
    at.answer = (_request, response) => void response.writeHead(status, headers).end(body);
  };

  test('a page in place of a file, a missing file and an empty one', async () => {
    sent(200, { 'content-type': 'text/html; charset=utf-8' });
    await expect(at.fetched()).rejects.toThrow('the server answered with text/html, not with a dataset.');
    sent(404);
    await expect(at.fetched()).rejects.toThrow('the server answered 404.');
    sent(200, {}, '');
    await expect(at.fetched()).rejects.toThrow('the file is empty.');
    expect(at.ranges).toHaveLength(3);
  });

  test('more than may be written, announced or not', async () => {
    at.answer = (request, response) => serve(request, response);
    await expect(at.fetched('/a', { maxBytes: 1000 })).rejects.toThrow('larger than 1000 bytes');
    at.answer = (_request, response) => void response.writeHead(200).end(content);
    await expect(at.fetched('/a', { maxBytes: 1000 })).rejects.toThrow('larger than 1000 bytes');
    // Where the disk is the limit, it is not said to be the user's storage.
    at.answer = (_request, response) => void response.writeHead(200, { 'content-length': 9e15 }).write('a');
    await expect(at.fetched('/a', { maxBytes: 1e16, tooLarge: 'larger than your storage' })).rejects.toThrow(
      /larger than what is free on the server’s disk \(\d/,
    );
  });

  test('what would fill the disk while others write to it, and nothing of it is kept', async () => {
    const bytes = 40 * 2 ** 20;
    at.answer = (_request, response) =>
      void response.writeHead(200, { etag: '"one"', 'content-length': bytes }).end(Buffer.alloc(bytes));
    // Room enough when it begins, none once some of it has arrived.
    const free = [2 * bytes, 1000, 0];
    const freeBytes = async () => free.shift() ?? 0;
    await expect(at.fetched('/large', { freeBytes })).rejects.toThrow(
      /disk is nearly full.*Nothing was kept/,
    );
    expect(await readdir(at.folder)).toEqual([]);
  });

  test('more than is free beside what another download of the process has announced', async () => {
    const waiting = new AbortController();
    at.answer = (_request, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': 3000 }).write('a');
    };
    const first = at.fetched('/first', { signal: waiting.signal, freeBytes: async () => 4000 });
    await vi.waitFor(async () => expect((await readdir(at.folder)).length).toBe(1));
    await vi.waitFor(() => expect(at.ranges).toHaveLength(1));
    await pause(100);
    await expect(at.fetched('/second', { freeBytes: async () => 4000 })).rejects.toThrow(
      /larger than what is free on the server’s disk/,
    );
    waiting.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('other protocols than https, also in redirects, and names that lead out of the folder', async () => {
    sent(302, { location: 'file:///etc/passwd' });
    await expect(at.fetched()).rejects.toThrow('file:///etc/passwd');
    await expect(
      download('http://example.org/file', at.folder, { signal: new AbortController().signal }),
    ).rejects.toThrow('https only');
    at.answer = (request, response) => serve(request, response);
    const { path } = await at.fetched('/x/..%2F..%2Fevil.h5ad');
    expect(path.startsWith(at.folder)).toBe(true);
    expect(path.endsWith('/evil.h5ad')).toBe(true);
  });

  test('a download that is cancelled ends at once', async () => {
    at.answer = (_request, response) => void response.writeHead(200).write('a');
    const controller = new AbortController();
    const waiting = at.fetched('/a', { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
