import { expect, test } from 'vitest';
import { buildProbeApp } from './observers.ts';

test('a process without a dependency is alive but not ready', async () => {
  const missing: string[] = [];
  const app = await buildProbeApp({ probes: { missing: async () => missing[0] }, logger: false });
  const status = async (url: string) => (await app.inject({ url })).statusCode;
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200]);
  missing.push('The database does not answer.');
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
  await app.close();
});

test('the health check does not wait for the database', async () => {
  const app = await buildProbeApp({ probes: { missing: () => new Promise(() => {}) }, logger: false });
  expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
  await app.close();
});
