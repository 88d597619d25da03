import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gracefulClosePlugin, requestBodiesPlugin } from './connections.ts';

const milliseconds = 50;
let app: FastifyInstance;

beforeAll(async () => {
  app = fastify();
  await app.register(requestBodiesPlugin, { milliseconds, droppedBytes: 100_000 });
  app.post('/call', async () => {
    await pause(3 * milliseconds);
    return 'done';
  });
  app.post(
    '/refused',
    { preParsing: async (_request, reply) => reply.code(413).send('too long') },
    async () => '',
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

function begin(length: string, body: string, path = '/call'): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n${length}\r\n\r\n${body}`);
  return socket;
}

test.each([
  ['content-length: 10', 'a'],
  ['transfer-encoding: chunked', '1\r\na\r\n'],
])('the connection of a body of %s that does not arrive is closed', async (length, body) => {
  const socket = begin(length, body);
  socket.resume().on('error', () => {});
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

test('the timeout of the body does not limit the call', async () => {
  const socket = begin('content-length: 4\r\nconnection: close', 'body');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*done$/);
});

test('the rest of a long body of a refused call is not read', async () => {
  const length = 50_000_000;
  const socket = begin(`content-length: ${length}`, '', '/refused');
  // Not by `once`: an error of a late write is expected.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString())).on('error', () => {});
  const part = Buffer.alloc(65_536);
  for (let sent = 0; sent < length && socket.writable; sent += part.length) {
    if (!socket.write(part))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*connection: close/i);
  // Only what fits into the socket buffers.
  expect(socket.bytesWritten).toBeLessThan(length / 2);
});

test('a connection is kept after a refused call with a short body', async () => {
  const socket = begin('content-length: 4', 'body', '/refused');
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /);
  socket.write('POST /refused HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
});

test('a server closes once its calls have ended, although clients keep their connections', async () => {
  const app = fastify();
  await app.register(gracefulClosePlugin);
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const answer = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    begun[0].resolve();
    await answer.promise;
    return 'done';
  });
  app.get('/streamed', async (_request, reply) => {
    reply.hijack();
    // The headers are sent before the server closes.
    reply.raw.write('do');
    begun[1].resolve();
    await answer.promise;
    reply.raw.end('ne');
  });
  app.addHook('preClose', async () => answer.resolve());
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const calls = ['/slow', '/streamed'].map(async (path) => {
    const response = await fetch(`${address}${path}`);
    return [await response.text(), response.headers.get('connection')];
  });
  await Promise.all(begun.map(({ promise }) => promise));
  const closed = app.close();
  // Without it clients would keep the connection for 72 seconds.
  expect(await Promise.all(calls)).toEqual([
    ['done', 'close'],
    ['done', 'keep-alive'],
  ]);
  await closed;
});
