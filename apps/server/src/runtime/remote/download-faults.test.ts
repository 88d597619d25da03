import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { download } from './download.ts';
import { openAnswer } from './open-answer.ts';
import { type Answer, content, serve, serverWithFaults } from './server-with-faults.test-data.ts';

const at = serverWithFaults();

describe('faults of servers', () => {
  const changed = Buffer.from(content.map((byte) => byte ^ 255));
  const part = { offset: 5000, length: 3000, validator: '"one"' };
  const cutFirst =
    (then: Answer): Answer =>
    (request, response, nth) =>
      nth === 1 ? serve(request, response, 50_000) : then(request, response, nth);

  test('one that accepts the connection and sends nothing is tried again', async () => {
    at.answer = (request, response, nth) => (nth === 1 ? undefined : serve(request, response));
    const reasons: string[] = [];
    const { path } = await at.fetched('/a.h5ad', {
      // Long enough for the second answer on a busy machine.
      timeoutMilliseconds: 1500,
      onPause: ({ reason }) => reasons.push(reason),
    });
    expect(reasons).toEqual(['the server did not respond for 1.5 seconds']);
    expect((await readFile(path)).equals(content)).toBe(true);
  });

  test('of one that sends no rest, and of a file that changes in mid-download, the whole is taken, and no mixture', async () => {
    for (const [headers, sent] of [
      [{}, content],
      [{ etag: '"two"' }, changed],
    ] as const) {
      at.ranges = [];
      at.answer = cutFirst((_request, response) => void response.writeHead(200, headers).end(sent));
      const { path, remove } = await at.fetched();
      expect((await readFile(path)).equals(sent)).toBe(true);
      expect(at.ranges).toEqual([undefined, 'bytes=50000-']);
      await remove();
    }
  });

  test.each([
    [
      'the rest of another file',
      { etag: '"two"', 'content-range': 'bytes 50000-199999/200000' },
      'has changed meanwhile',
    ],
    ['a rest without the ETag', { 'content-range': 'bytes 50000-199999/200000' }, 'has changed meanwhile'],
    [
      'another stretch',
      { etag: '"one"', 'content-range': 'bytes 0-199999/200000' },
      'resumed at another position',
    ],
    [
      'a rest of another length',
      { etag: '"one"', 'content-range': 'bytes 50000-299999/300000' },
      'at another position',
    ],
    ['a rest that says not which', { etag: '"one"' }, 'resumed at another position'],
  ])('of one that sends %s the file is fetched from its beginning', async (_, headers, reason) => {
    at.answer = cutFirst((request, response, nth) =>
      nth === 2
        ? void response.writeHead(206, headers).end(changed.subarray(50_000))
        : serve(request, response),
    );
    const reasons: string[] = [];
    const { path } = await at.fetched('/a.h5ad', { onPause: (pause) => reasons.push(pause.reason) });
    expect(reasons.at(-1)).toContain(reason);
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(at.ranges).toEqual([undefined, 'bytes=50000-', undefined]);
  });

  test('by its time of change a file is known as by an ETag, which a rest may leave out', async () => {
    const [old, late] = ['Mon, 05 Jan 2026 10:00:00 GMT', 'Fri, 06 Feb 2026 10:00:00 GMT'];
    const first = content.subarray(0, 50_000);
    const range = { 'content-range': 'bytes 50000-199999/200000' };
    for (const [headers, expectedContent, expectedRanges] of [
      [{ 'last-modified': late }, changed, [undefined, 'bytes=50000-', undefined]],
      [{ 'last-modified': old }, content, [undefined, 'bytes=50000-']],
      [{}, content, [undefined, 'bytes=50000-']],
    ] as const) {
      at.ranges = [];
      at.answer = (_request, response, nth) => {
        if (nth === 1) {
          response.writeHead(200, { 'last-modified': old, 'content-length': content.length });
          response.write(first, () => setTimeout(() => response.destroy(), 30));
        } else if (nth === 2)
          response.writeHead(206, { ...range, ...headers }).end(expectedContent.subarray(50_000));
        else response.writeHead(200, headers).end(expectedContent);
      };
      const { path, remove } = await at.fetched();
      expect((await readFile(path)).equals(expectedContent)).toBe(true);
      expect(at.ranges).toEqual(expectedRanges);
      await remove();
    }
  });

  test('a member of an archive that has changed is refused for good, as are more bytes than it has, and the whole archive', async () => {
    at.answer = (_request, response) =>
      void response
        .writeHead(206, { etag: '"two"', 'content-range': 'bytes 5000-7999/200000' })
        .end(changed.subarray(5000, 8000));
    await expect(at.fetched('/a.tar', { part })).rejects.toThrow('the file has changed meanwhile.');
    at.answer = (request, response) => serve(request, response);
    await expect(at.fetched('/a.tar', { part })).rejects.toThrow(
      'the server sent more than it was asked for.',
    );
    at.answer = (_request, response) => void response.writeHead(200, { etag: '"one"' }).end(content);
    await expect(at.fetched('/a.tar', { part })).rejects.toThrow(/whole file instead of a part of it/);
    expect(at.ranges).toHaveLength(3);
    expect(await readdir(at.folder)).toEqual([]);
  });

  test.each([429, 503])(
    '%i is waited for as long as the server says, in seconds or until a date',
    async (status) => {
      for (const after of ['2', new Date(Date.now() + 3000).toUTCString()]) {
        at.ranges = [];
        at.answer = (request, response, nth) =>
          nth === 1
            ? void response.writeHead(status, { 'retry-after': after }).end()
            : serve(request, response);
        const pauses: number[] = [];
        const controller = new AbortController();
        const pending = at.fetched('/a.h5ad', {
          signal: controller.signal,
          onPause: ({ seconds }) => {
            pauses.push(seconds);
            controller.abort();
          },
        });
        await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
        expect(pauses[0]).toBeGreaterThanOrEqual(2);
        expect(pauses[0]).toBeLessThanOrEqual(3);
      }
    },
  );

  test('401, 403, 404 and 410 are not retried, 500 is retried as often as there are pauses', async () => {
    for (const [status, attempts] of [
      [401, 1],
      [403, 1],
      [404, 1],
      [410, 1],
      [500, 3],
    ] as const) {
      at.ranges = [];
      at.answer = (_request, response) => void response.writeHead(status).end();
      await expect(at.fetched()).rejects.toThrow(`the server answered ${status}`);
      expect(at.ranges, `${status}`).toHaveLength(attempts);
    }
    expect(await readdir(at.folder)).toEqual([]);
  });

  test('of a body without end no more is taken than may be written, and the connection is closed', async () => {
    let closed: () => void;
    const end = new Promise<void>((resolve) => void (closed = resolve));
    at.answer = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more).on('close', () => closed());
      response.writeHead(200);
      more();
    };
    await expect(at.fetched('/a.h5ad', { maxBytes: 1_000_000 })).rejects.toThrow('larger than 1000000 bytes');
    await end;
    expect(at.ranges).toHaveLength(1);
  });

  test('an answer packed for the way is refused, as what it unpacks to has no bounds', async () => {
    at.answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)));
    await expect(at.fetched()).rejects.toThrow('in the encoding gzip, which was not requested');
  });

  test('an unreachable server and an unknown host name are reported in words', async () => {
    const { port } = at.server.address() as AddressInfo;
    at.server.closeAllConnections();
    await new Promise((done) => void at.server.close(done));
    await expect(at.fetched()).rejects.toThrow(/no server answers at this address, at attempt 3/);
    at.server.listen(port);
    const nowhere = { reservations: at.reservations, signal: new AbortController().signal, pauses: [] };
    await expect(download('https://nothing.invalid/a.h5ad', at.folder, nowhere)).rejects.toThrow(
      /the name of the server cannot be resolved/,
    );
  });
});

describe('addresses of users', () => {
  const { signal } = new AbortController();

  test('a name that resolves to a public address first and to a private one later is not requested again', async () => {
    at.answer = (request, response) => serve(request, response);
    const named = new URL(at.origin.replace('127.0.0.1', 'localhost'));
    let lookUps = 0;
    const ask = () =>
      openAnswer(named, { headers: {}, signal, mayBePrivate: () => false, isPrivate: () => lookUps++ > 0 });
    (await ask()).answer.destroy();
    await expect(ask()).rejects.toThrow(/the link leads to localhost, which is a private address/);
    expect(at.ranges).toHaveLength(1);
  });

  test('none is redirected to a private address, whether by its number or by a name', async () => {
    for (const location of [
      'http://127.0.0.1:9/a',
      'http://localhost:9/a',
      'http://[::1]:9/a',
      'http://2130706433/a',
    ]) {
      at.answer = (_request, response) => void response.writeHead(302, { location }).end();
      const mayBePrivate = ({ origin: of }: URL) => of === at.origin;
      await expect(at.fetched('/a.h5ad', { mayBePrivate }), location).rejects.toThrow(
        /which is a private address/,
      );
    }
  });
});
