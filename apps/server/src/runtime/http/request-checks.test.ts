import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneHostPlugin } from './request-checks.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  await app.register(oneHostPlugin);
  app.get('/', async () => 'done');
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

test.each([
  ['host: a', 200],
  ['host: a\r\nHost: a', 400],
  ['host: a\r\nx: host\r\nHOST: b', 400],
  ['x: host\r\nhost: a', 200],
  ['x: y', 400],
])('headers %j are answered with %i', async (headers, status) => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`GET / HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});
