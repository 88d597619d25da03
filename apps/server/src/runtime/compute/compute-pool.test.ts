import { paths } from '../../boot/paths.ts';
import { expect, onTestFinished, test } from 'vitest';
import { ComputePool } from './compute-pool.ts';
import type { ScoreTask, SignatureSums } from '../../features/scores/tasks.ts';

const caller = { signal: new AbortController().signal, users: () => ['somebody'] };

function scoring(cells: number, times: number, isApart = false): ScoreTask {
  const summed = (value: number) => {
    const sums = new Float64Array(new SharedArrayBuffer(8 * cells)).fill(value);
    return { sums, geneCount: 1, missing: undefined };
  };
  const part: SignatureSums = { genes: summed(1), controls: summed(0) };
  // Structured cloning keeps repeated references, so the thread gets one object too.
  const parts = Array.from({ length: times }, () => (isApart ? { ...part, genes: { ...part.genes } } : part));
  return { kind: 'score', parts, mask: undefined };
}
const quick = scoring(10, 1);
const endless = scoring(1_000_000, 100_000);
const large = scoring(1, 800_000, true);

function onePool(limits: { taskMilliseconds?: number; heapBytes?: number }, ended: string[]): ComputePool {
  const pool = new ComputePool(
    {
      threadModule: paths.computeThread,
      objects: { kind: 'file', root: '/nowhere' },
      openDatasets: 1,
      expressionCacheBytes: 1000,
      warmFigures: 0,
      threads: 1,
      ...limits,
    },
    { begin: () => ({ keepReads: false, end: (how) => void ended.push(how) }) },
  );
  onTestFinished(() => pool.close());
  return pool;
}

test('a task that times out is stopped in the middle of a loop, its thread is replaced, and waiting tasks run', async () => {
  const ended: string[] = [];
  const pool = onePool({ taskMilliseconds: 100 }, ended);
  const slow = pool.run(endless, caller);
  const next = pool.run(quick, caller);
  await expect(slow).rejects.toMatchObject({
    name: 'ComputeFailure',
    tag: 'TookTooLong',
    message: expect.stringContaining('longer than the limit of 0.1 seconds'),
  });
  expect(await next).toEqual(new Float64Array(10).fill(1));
  expect(ended).toEqual(['too long', 'done']);
  // The new thread has an empty cache.
  const unused = { hits: 0, misses: 0, evictions: 0, bytes: 0, limit: 1000 };
  expect(pool.caches(undefined)).toEqual([['expression', unused]]);
}, 240_000);

test('idle threads are replaced, busy ones are not, and tasks that come meanwhile are done', async () => {
  const pool = onePool({}, []);
  const expressionLimit = () => new Map(pool.caches(undefined)).get('expression')!.limit;
  const working = pool.run(quick, caller);
  expect(await pool.renew()).toBe(false);
  expect(await working).toEqual(new Float64Array(10).fill(1));
  const renewed = pool.renew();
  const meanwhile = await pool.run(quick, caller);
  expect([meanwhile, await renewed]).toEqual([new Float64Array(10).fill(1), true]);
  // The new thread's alone.
  expect(expressionLimit()).toBe(1000);
}, 240_000);

test('a task that exceeds the heap limit fails, its thread is replaced, and waiting tasks run', async () => {
  const ended: string[] = [];
  const pool = onePool({ heapBytes: 64 * 2 ** 20 }, ended);
  const greedy = pool.run(large, caller);
  const next = pool.run(quick, caller);
  await expect(greedy).rejects.toMatchObject({ name: 'ComputeFailure', tag: 'OutOfMemory' });
  expect(await next).toEqual(new Float64Array(10).fill(1));
  expect(ended).toEqual(['failed', 'done']);
}, 240_000);

test('users take turns at the threads, and a cancelled task never starts', async () => {
  const pool = onePool({}, []);
  const done: string[] = [];
  const controller = new AbortController();
  const ask = async (name: string, signal = caller.signal) => {
    await pool.run(scoring(100_000, 20), { signal, users: () => [name[0]!] });
    done.push(name);
  };
  const runs = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => ask(name));
  const leaving = ask('c1', controller.signal);
  expect(pool.waiting).toBe(5);
  controller.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  expect(pool.waiting).toBe(4);
  await Promise.all(runs);
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
});
