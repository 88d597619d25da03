import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { threadTimes, timesBetween } from './thread-times.ts';

test('what a worker has taken by its own account is found with the threads that compute', async () => {
  const before = threadTimes(process.pid, 'apart');
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     let sum = 0;
     for (let i = 0; i < 2e7; i++) sum += Math.sqrt(i);
     const { user, system } = process.threadCpuUsage();
     parentPort.postMessage({ sum, taken: (user + system) / 1000 });
     setInterval(() => {}, 1000);`,
    { eval: true },
  );
  const [{ taken }] = (await once(worker, 'message')) as [{ taken: number }];
  const { compute } = timesBetween(before, threadTimes(process.pid, 'apart'));
  await worker.terminate();
  expect(taken).toBeGreaterThan(0);
  // Its account is kept in ticks of the clock.
  expect(compute).toBeGreaterThan(taken - 20);
});
