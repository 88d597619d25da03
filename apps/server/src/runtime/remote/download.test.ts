import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownIdentity } from '@cellfolio/bytes';
import { describe, expect, test, vi } from 'vitest';
import { download } from './download.ts';
import { content, serve, serverWithFaults } from './server-with-faults.test-data.ts';

const at = serverWithFaults();

describe('downloading a file', () => {
  test('each pause before another attempt is reported with its cause', async () => {
    at.answer = (request, response, nth) =>
      nth < 3 ? void request.socket.destroy() : serve(request, response);
    const pauses: string[] = [];
    await at.fetched('/a.h5ad', { onPause: ({ reason, seconds }) => pauses.push(`${reason}, ${seconds}`) });
    expect(pauses).toEqual(['the connection was lost, 1', 'the connection was lost, 1']);
  });

  test('of a part no more is fetched, and it goes on where it broke', async () => {
    at.answer = (request, response, nth) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')!;
      const part = content.subarray(Number(first), Number(last) + 1);
      const range = `bytes ${first}-${last}/${content.length}`;
      response.writeHead(206, { etag: '"one"', 'content-range': range, 'content-length': part.length });
      response.write(part.subarray(0, nth === 1 ? 1000 : part.length), () =>
        nth === 1 ? setTimeout(() => response.destroy(), 100) : response.end(),
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

  test('a server that stops sending times out, and the rest is requested again', async () => {
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

describe('a server that sends too little', () => {
  const leastRate = { bytes: 10_000, milliseconds: 600 };
  let onReceived = () => {};
  const drip = (bytes: number, breaks: boolean) => {
    at.answer = (request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0);
      response.writeHead(from > 0 ? 206 : 200, {
        etag: '"one"',
        'content-length': content.length - from,
        ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
      });
      response.write(content.subarray(from, from + (from > 0 ? 1 : bytes)));
      // Not before: what the client has not read when its connection breaks is lost.
      if (breaks) return void (onReceived = () => void setTimeout(() => response.destroy(), 20));
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    };
  };

  test.each([
    ['a byte now and then', false],
    ['a byte for each connection', true],
  ])('%s is given up, and what it sent is kept', async (_, breaks) => {
    drip(5000, breaks);
    await expect(at.fetched('/slow', { leastRate, onProgress: () => onReceived() })).rejects.toThrow(
      /the server sent only 5\.\d+ KB in 0.01 minutes, and a download needs 10 KB in that time, at attempt \d+\. 5\d+ of 200000 bytes are kept: start the same download again/,
    );
    const requestsBefore = at.ranges.length;
    at.answer = (request, response) => serve(request, response);
    await at.fetched('/slow', { leastRate });
    expect(at.ranges.slice(requestsBefore)).toEqual([expect.stringMatching(/^bytes=5\d+-$/)]);
  });

  test('one that sends enough in each stretch is waited for', async () => {
    at.answer = (_request, response) => {
      response.writeHead(200, { etag: '"one"', 'content-length': content.length });
      let sent = 0;
      const timer = setInterval(() => {
        response.write(content.subarray(sent, (sent += 10_000)));
        if (sent === content.length) clearInterval(timer);
      }, 100);
    };
    const { path } = await at.fetched('/steady', { leastRate });
    expect((await readFile(path)).equals(content)).toBe(true);
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
      /disk is nearly full.*Nothing was saved/,
    );
    expect(await readdir(at.folder)).toEqual([]);
  });

  describe('more than is free beside what others have reserved', () => {
    const room = { freeBytes: async () => 4000 };
    const endless = (length: number) => {
      at.answer = (_request, response) =>
        void response.writeHead(200, { etag: '"one"', 'content-length': length }).write('a');
    };
    const reserved = () => readdir(at.reservations).catch(() => []);
    const refused = () =>
      expect(at.fetched('/second', room)).rejects.toThrow(/larger than what is free on the server’s disk/);
    const fits = async () => {
      at.answer = (_request, response) => void response.writeHead(200).end(Buffer.alloc(3000));
      await at.fetched('/second', { freeBytes: async () => 17 * 2 ** 20 });
      at.answer = (_request, response) =>
        void response.writeHead(200, { 'content-length': 3000 }).end(content.subarray(0, 3000));
      await at.fetched('/third', room);
    };

    test('in this process, until it ends', async () => {
      const controller = new AbortController();
      endless(3000);
      const first = at.fetched('/first', { signal: controller.signal, ...room });
      await vi.waitFor(async () => expect(await reserved()).toHaveLength(1));
      await refused();
      controller.abort();
      await expect(first).rejects.toMatchObject({ name: 'AbortError' });
      await fits();
      expect(await reserved()).toEqual([]);
    });

    test('in another process, until it dies', async () => {
      endless(3000);
      const module = new URL('./download.ts', import.meta.url).href;
      const program = `import { download } from ${JSON.stringify(module)};
        const [address, folder, reservations] = process.argv.slice(1);
        await download(address, folder, { reservations, signal: new AbortController().signal, freeBytes: async () => 4000 });`;
      const parameters = [`${at.origin}/first`, join(at.folder, 'other'), at.reservations];
      const other = spawn(process.execPath, ['--input-type=module', '-e', program, ...parameters], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const ended = once(other, 'exit');
      await vi.waitFor(
        async () => expect((await reserved()).some((name) => name.endsWith('.json'))).toBe(true),
        20_000,
      );
      await refused();
      other.kill('SIGKILL');
      await ended;
      await fits();
      expect(await reserved()).toEqual([]);
    });

    test('on another machine, as long as it renews its reservation', async () => {
      const note = { ...ownIdentity(), host: 'elsewhere', part: 'none.part', total: 3000 };
      await mkdir(at.reservations);
      const path = join(at.reservations, 'one.json');
      await writeFile(path, JSON.stringify(note));
      endless(3000);
      await refused();
      const before = new Date(Date.now() - 120_000);
      await utimes(path, before, before);
      await fits();
      expect(await reserved()).toEqual([]);
    });
  });

  test('other protocols than https, also in redirects, and names that lead out of the folder', async () => {
    sent(302, { location: 'file:///etc/passwd' });
    await expect(at.fetched()).rejects.toThrow('file:///etc/passwd');
    await expect(
      download('http://example.org/file', at.folder, {
        reservations: at.reservations,
        signal: new AbortController().signal,
      }),
    ).rejects.toThrow('https only');
    at.answer = (request, response) => serve(request, response);
    const { path } = await at.fetched('/x/..%2F..%2Fevil.h5ad');
    expect(path.startsWith(at.folder)).toBe(true);
    expect(path.endsWith('/evil.h5ad')).toBe(true);
  });

  test('a download that is cancelled ends at once', async () => {
    at.answer = (_request, response) => void response.writeHead(200).write('a');
    const controller = new AbortController();
    const pending = at.fetched('/a', { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });
});
