import { expect, test, vi, afterEach } from 'vitest';
import type { Database } from '@cellfolio/platform';
import { JobWorker } from './job-worker.ts';
import type { Run } from '../job-table.ts';
import { RunProgress } from './run-progress.ts';

test('an unreachable database is logged once, however often it is queried, and again on the next outage', async () => {
  let away = true;
  const query = vi.fn(async (_text: string) => {
    if (away) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    return { rows: [{ jobs: false, deleted: false }] };
  });
  const logError = vi.fn();
  const worker = new JobWorker({
    database: { kind: 'server', pool: { query } },
    logError,
  } as never);
  const runQueries = async (times: number): Promise<void> => {
    for (const until = query.mock.calls.length + times; query.mock.calls.length < until;) {
      worker.wake();
      await new Promise(setImmediate);
    }
  };
  void worker.start();
  await runQueries(20);
  expect(logError).toHaveBeenCalledOnce();
  away = false;
  await runQueries(2);
  away = true;
  await runQueries(20);
  expect(logError).toHaveBeenCalledTimes(2);
  await worker.close();
});

afterEach(() => vi.restoreAllMocks());

const hour = 3600_000;

/** The progress of a run with clocks controlled by the test: wall time and time since the start. */
function progressAt(query: (text: string) => Promise<{ rowCount: number }>) {
  const began = { wall: Date.now(), running: performance.now() };
  let passed = 0;
  let stepped = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => began.wall + passed + stepped);
  vi.spyOn(performance, 'now').mockImplementation(() => began.running + passed);
  const database = { pool: { query } } as unknown as Database;
  const run = { job: { id: 'a job' }, token: 'a token' } as Run;
  return {
    progress: new RunProgress({ database, leaseSeconds: 20, logError: () => {} }, run),
    pass: (milliseconds: number) => (passed += milliseconds),
    step: (milliseconds: number) => (stepped += milliseconds),
  };
}

test('a process whose clock is set back goes on renewing its lease, so that its job is not given away', async () => {
  const query = vi.fn(async (_text: string) => ({ rowCount: 1 }));
  const { progress, pass, step } = progressAt(query);
  const renewals = () => query.mock.calls.filter(([text]) => text.includes('lease_until =')).length;
  await progress.look();
  expect(renewals()).toBe(0);
  step(-hour);
  pass(6000);
  await progress.look();
  expect(renewals()).toBe(1);
  await progress.stop();
});

test('a clock that jumps ahead while the database is away for a moment costs no job; being away for long does', async () => {
  let away = false;
  const { progress, pass, step } = progressAt(async () => {
    if (away) throw new Error('away');
    return { rowCount: 1 };
  });
  await progress.look();
  away = true;
  step(hour);
  await progress.look();
  expect(progress.lost.signal.aborted).toBe(false);
  pass(21_000);
  await progress.look();
  expect(progress.lost.signal.aborted).toBe(true);
  await progress.stop();
});
