import { Admission } from '@cellfolio/platform';
import { get, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CellTable } from './cell-export.ts';
import { ProgressHub } from '../../runtime/progress/progress-hub.ts';
import { clientGonePlugin } from '../../runtime/http/connections.ts';
import { handleError } from '../../runtime/http/error-handler.ts';
import { postExportCells } from './routes.ts';
import type { Services } from '../../boot/services.ts';
import { streamAnswer } from '../../runtime/http/stream-answer.ts';

const limits = {
  running: 1,
  runningPerUser: 1,
  waiting: 1,
  waitingPerUser: 1,
  queueTimeoutMilliseconds: 20_000,
};
const megabyte = new Uint8Array(1 << 20).fill(97);
const apps: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function bareApp() {
  const app = fastify({ forceCloseConnections: true });
  apps.push(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.decorateRequest('member', { getter: () => ({ userId: 'u' }) });
  await app.register(clientGonePlugin);
  return app;
}

async function mountRoute(pieceFrom: CellTable['pieceFrom'], end: number, places = 1) {
  const app = await bareApp();
  const services = {
    active: { current: async () => ({}) },
    ownColumns: { named: async () => [], all: async () => [], storedColumns: async () => [] },
    displays: { current: async () => [] },
    cellExport: {
      prepare: async () => ({
        fileName: 'a.csv',
        contentType: 'text/csv',
        head: new TextEncoder().encode('barcode\n'),
        foot: () => new Uint8Array(0),
        cellCount: end,
        end,
        pieceFrom,
      }),
    },
    progress: new ProgressHub(),
    admission: new Admission(limits),
    exports: new Admission({ ...limits, running: places }),
    limits: { genesPerCall: 5 },
  } as unknown as Services;
  await app.register(postExportCells, { services });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const post = async (): Promise<IncomingMessage> => {
    const call = request(`${address}/api/export-cells`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 2 },
    });
    call.on('error', () => undefined);
    call.end('{}');
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return answer.on('error', () => undefined);
  };
  return { services, post };
}

test('pieces are made as they are taken, and one that is not read holds no turn', async () => {
  let pieceCount = 0;
  const { services, post } = await mountRoute(
    async (cell) => ({ bytes: megabyte, lines: 1, next: (pieceCount = cell + 1) }),
    1000,
  );
  const answer = await post();
  // What the sockets hold is taken; then nothing more is made.
  let before = -1;
  while (pieceCount !== before) {
    before = pieceCount;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect(pieceCount).toBeLessThan(100);
  expect([services.admission.running, services.exports.running]).toEqual([0, 1]);
  answer.destroy();
  await vi.waitFor(() => expect(services.exports.running).toBe(0));
  expect(pieceCount).toBeLessThan(100);
});

describe('the place of a client that takes nothing', () => {
  const endless: CellTable['pieceFrom'] = async (cell) => ({ bytes: megabyte, lines: 1, next: cell + 1 });
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(1000 * count);

  test('is given to one who waits for it, within twenty seconds', async () => {
    const { services, post } = await mountRoute(endless, 1000);
    const slow = await post();
    await seconds(50);
    expect(services.exports.running).toBe(1);
    const next = post();
    await vi.waitFor(() => expect(services.exports.waiting).toBe(1), { interval: 1 });
    await seconds(20);
    expect((await next).statusCode).toBe(200);
    await new Promise((resolve) => slow.resume().once('close', resolve));
    expect(slow.complete).toBe(false);
    expect([services.exports.running, services.exports.waiting]).toEqual([1, 0]);
  });

  test('is kept while the one who waits has places of their own, and others are free', async () => {
    const { services, post } = await mountRoute(endless, 1000, 2);
    await post();
    post().catch(() => undefined);
    await vi.waitFor(() => expect(services.exports.waiting).toBe(1), { interval: 1 });
    await seconds(50);
    expect([services.exports.running, services.exports.waiting]).toEqual([1, 1]);
  });

  test('and that of a client that takes the file is kept, although others wait', async () => {
    const { services, post } = await mountRoute(endless, 20);
    const steady = await post();
    const next = post();
    await vi.waitFor(() => expect(services.exports.waiting).toBe(1), { interval: 1 });
    let bytes = 0;
    let stretch = 0;
    for await (const piece of steady) {
      bytes += (piece as Buffer).length;
      if (bytes <= (stretch + 1) * megabyte.length) continue;
      stretch++;
      await seconds(2);
    }
    expect(bytes).toBe(20 * megabyte.length + 'barcode\n'.length);
    expect((await next).statusCode).toBe(200);
  });
});

test('a file that is taken to its end is whole, and gives its places back', async () => {
  const { services, post } = await mountRoute(
    async (cell) => ({ bytes: megabyte, lines: 1, next: cell + 1 }),
    5,
  );
  let bytes = 0;
  for await (const piece of await post()) bytes += (piece as Buffer).length;
  expect(bytes).toBe(5 * megabyte.length + 'barcode\n'.length);
  expect([services.admission.running, services.exports.running, services.progress.size]).toEqual([0, 0, 0]);
});

test('the work on a piece is cancelled when its client goes away', async () => {
  const begun = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const { services, post } = await mountRoute(
    (cell, { signal }) =>
      cell === 0
        ? Promise.resolve({ bytes: megabyte, lines: 1, next: 1 })
        : new Promise((_, reject) => {
            begun.resolve();
            signal.addEventListener('abort', () => {
              cancelled.resolve();
              reject(signal.reason);
            });
          }),
    5,
  );
  const answer = await post();
  answer.resume();
  await begun.promise;
  expect(services.admission.running).toBe(1);
  answer.destroy();
  await cancelled.promise;
  await vi.waitFor(() => expect([services.admission.running, services.exports.running]).toEqual([0, 0]));
});

test('a failure in the middle ends the connection, so that no file looks whole', async () => {
  const { services, post } = await mountRoute(async (cell) => {
    if (cell > 1) throw new Error('the disk is gone');
    return { bytes: megabyte, lines: 1, next: cell + 1 };
  }, 5);
  const answer = await post();
  answer.resume();
  await new Promise((resolve) => answer.once('close', resolve));
  expect(answer.complete).toBe(false);
  await vi.waitFor(() => expect(services.exports.running).toBe(0));
});

test('a piece waits for its turn on a busy server instead of breaking the file off', async () => {
  let free = () => {};
  const { services, post } = await mountRoute(async (cell, { signal }) => {
    // Somebody else takes the only turn before the second piece.
    if (cell === 0) setImmediate(async () => (free = await services.admission.enter('other', signal)));
    return { bytes: megabyte, lines: 1, next: cell + 1 };
  }, 2);
  const answer = await post();
  let bytes = 0;
  answer.on('data', (piece: Buffer) => (bytes += piece.length));
  setTimeout(() => free(), 500);
  await once(answer, 'end');
  expect(bytes).toBe(2 * megabyte.length + 'barcode\n'.length);
});

test('a client that takes nothing loses its connection', async () => {
  const app = await bareApp();
  const ended = Promise.withResolvers<void>();
  let pieceCount = 0;
  async function* endless() {
    for (;;) {
      pieceCount++;
      yield megabyte;
    }
  }
  app.get('/', (call, reply) =>
    reply.send(streamAnswer(call, reply, endless(), { onEnd: ended.resolve, stallMilliseconds: 200 })),
  );
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  get(address, (answer) => answer.on('error', () => undefined)).on('error', () => undefined);
  await ended.promise;
  expect(pieceCount).toBeLessThan(100);
});

test('the memory of a piece is used again when all of it has been sent, and not before', async () => {
  const app = await bareApp();
  const length = 700_001;
  const idle: Uint8Array[] = [];
  let allocations = 0;
  async function* pieces() {
    for (let at = 0; at < 60; at++) {
      if (idle.length === 0) allocations++;
      yield (idle.pop() ?? new Uint8Array(length)).fill(at);
    }
  }
  app.get('/', (call, reply) =>
    reply.send(streamAnswer(call, reply, pieces(), { onSent: (piece) => idle.push(piece) })),
  );
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const [answer] = (await once(get(address), 'response')) as [IncomingMessage];
  // Until the sockets hold no more.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const received: Buffer[] = [];
  for await (const bytes of answer) received.push(bytes as Buffer);
  const all = Buffer.concat(received);
  expect(all.length).toBe(60 * length);
  for (let at = 0; at < 60; at++) {
    const piece = all.subarray(at * length, (at + 1) * length);
    expect(piece.equals(Buffer.alloc(length, at)), `piece ${at}`).toBe(true);
  }
  expect(allocations).toBeLessThan(10);
});
