import { expect, onTestFinished, test } from 'vitest';
import type { ObservedTask } from '../observability/observed.ts';
import { ComputePool } from './compute-pool.ts';
import type { ScoreTask, SignatureSums } from './task.ts';

const never = new AbortController().signal;

/** The score of cells from sums that are the same many times over: work without any read, as long as one likes. */
function scoring(cells: number, times: number): ScoreTask {
  const summed = (value: number) => {
    const sums = new Float64Array(new SharedArrayBuffer(8 * cells)).fill(value);
    return { sums, geneCount: 1, missing: undefined };
  };
  const part: SignatureSums = { genes: summed(1), controls: summed(0) };
  return { kind: 'score', parts: Array.from({ length: times }, () => part), mask: undefined };
}
const quick = scoring(10, 1);
/** Several minutes, however fast the machine is. */
const endless = scoring(1_000_000, 100_000);

test('a task that takes too long is stopped in the middle of a loop, its thread replaced, and what waited goes on', async () => {
  const ended: ObservedTask['outcome'][] = [];
  const pool = new ComputePool(
    {
      objects: { kind: 'file', root: '/nowhere' },
      openDatasets: 1,
      expressionCacheBytes: 1000,
      threads: 1,
      taskMilliseconds: 100,
    },
    { begin: () => ({ keepReads: false, end: (how) => void ended.push(how) }) },
  );
  onTestFinished(() => pool.close());
  const slow = pool.run(endless, never);
  const next = pool.run(quick, never);
  await expect(slow).rejects.toMatchObject({
    name: 'ComputeFailure',
    tag: 'TookTooLong',
    message: expect.stringContaining('longer than the 0.1 seconds'),
  });
  expect(await next).toEqual(new Float64Array(10).fill(1));
  expect(ended).toEqual(['too long', 'done']);
  // The thread that is there now is one, and has found nothing in its cache yet.
  const unused = { hits: 0, misses: 0, evictions: 0, bytes: 0, limit: 1000 };
  expect(pool.caches(undefined)).toEqual([['expression', unused]]);
}, 120_000);
