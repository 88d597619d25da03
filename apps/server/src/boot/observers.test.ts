import { expect, test } from 'vitest';
import { buildWatchApp } from './observers.ts';

test('a process lives while it answers, and is sent no calls while something is missing', async () => {
  const missing: string[] = [];
  const app = await buildWatchApp({ probes: { missing: async () => missing[0] }, logger: false });
  const status = async (url: string) => (await app.inject({ url })).statusCode;
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
  missing.push('The database does not answer.');
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
  await app.close();
});

test('a database that does not answer keeps nobody from hearing that the process lives', async () => {
  const app = await buildWatchApp({ probes: { missing: () => new Promise(() => {}) }, logger: false });
  expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
  await app.close();
});
