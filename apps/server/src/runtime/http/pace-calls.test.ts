import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { paceCalls } from './pace-calls.ts';

let app: FastifyInstance;
afterEach(() => app.close());

async function begun({ count, alone }: { count: number; alone: boolean }) {
  app = fastify();
  const times: number[] = [];
  app.decorateRequest('member', undefined);
  app.addHook('onRequest', async (request) => void (request.member = { userId: 'ada' }));
  paceCalls(app, { untilAlone: () => (alone ? 0 : 1000) });
  app.post('/', async () => {
    times.push(performance.now() - start);
    return '';
  });
  const start = performance.now();
  const calls = Array.from({ length: count }, () => app.inject({ method: 'POST', url: '/', body: {} }));
  const answers = await Promise.all(calls);
  return { times, refused: answers.filter(({ statusCode }) => statusCode !== 200).length };
}

test('while others are active, calls that arrive at once begin one after another', async () => {
  const { times, refused } = await begun({ count: 5, alone: false });
  expect(refused).toBe(0);
  expect(times.at(-1)).toBeGreaterThanOrEqual(45);
});

test('a single caller does not wait', async () => {
  const { times } = await begun({ count: 200, alone: true });
  expect(times).toHaveLength(200);
});

test('calls that would wait for more than two seconds are refused', async () => {
  const { refused } = await begun({ count: 300, alone: false });
  // Fewer, the longer the calls take to arrive.
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(140);
});
