import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slowBodiesPlugin } from './slow-bodies.ts';

const milliseconds = 50;
let app: FastifyInstance;

beforeAll(async () => {
  app = fastify();
  await app.register(slowBodiesPlugin, { milliseconds });
  app.post('/call', async () => {
    await pause(3 * milliseconds);
    return 'done';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

function begin(length: string, body: string): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST /call HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\n${length}\r\n\r\n${body}`);
  return socket;
}

test.each([
  ['content-length: 10', 'a'],
  ['transfer-encoding: chunked', '1\r\na\r\n'],
])('a body of %s that does not come ends its connection', async (length, body) => {
  const socket = begin(length, body);
  socket.resume().on('error', () => {});
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

test('a call whose body is there takes as long as it takes', async () => {
  const socket = begin('content-length: 4\r\nconnection: close', 'body');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*done$/);
});
