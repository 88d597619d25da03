import { expect, test, vi } from 'vitest';
import { JobWorker } from './job-worker.ts';

test('a database that is away is told once, however often it is asked, and again when it goes a second time', async () => {
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
  const asked = async (times: number): Promise<void> => {
    for (const until = query.mock.calls.length + times; query.mock.calls.length < until;) {
      worker.wake();
      await new Promise(setImmediate);
    }
  };
  void worker.start();
  await asked(20);
  expect(logError).toHaveBeenCalledOnce();
  away = false;
  await asked(2);
  away = true;
  await asked(20);
  expect(logError).toHaveBeenCalledTimes(2);
  await worker.close();
});
