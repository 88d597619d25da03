import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QuietMemory } from './idle-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(giveBack: readonly (() => Promise<unknown>)[] = []) {
  const done: string[] = [];
  const failures: unknown[] = [];
  const held = { bytes: 100 };
  const memory = new QuietMemory({
    giveBack: [async () => void done.push('given back'), ...giveBack],
    onFailure: (error) => failures.push(error),
    quietMilliseconds: 1000,
    collect: () => {
      done.push('collected');
      held.bytes = 100;
    },
    resident: () => held.bytes,
  });
  return { memory, done, failures, held };
}

test('memory is given back and collected once nobody has called for a while, and only once', async () => {
  const { done } = watched();
  await vi.advanceTimersByTimeAsync(999);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(done).toEqual(['given back', 'collected']);
});

test('nothing is given back while a call goes on, however long, and the time begins anew when it has ended', async () => {
  const { memory, done } = watched();
  const ends = [memory.called(), memory.called()];
  await vi.advanceTimersByTimeAsync(5000);
  ends[0]!();
  await vi.advanceTimersByTimeAsync(5000);
  expect(done).toEqual([]);
  ends[1]!();
  await vi.advanceTimersByTimeAsync(999);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['given back', 'collected']);
});

test('after the next calls it is given back again where it has grown, and left alone where it has not', async () => {
  const { memory, done, held } = watched();
  await vi.advanceTimersByTimeAsync(1000);
  memory.called()();
  held.bytes = 114;
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).toEqual(['given back', 'collected']);
  memory.called()();
  held.bytes = 116;
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).toEqual(['given back', 'collected', 'given back', 'collected']);
});

test('a call that comes meanwhile keeps what is not given back yet', async () => {
  const calls: (() => void)[] = [];
  const later: string[] = [];
  const { memory, done } = watched([
    async () => void calls.push(memory.called()),
    async () => void later.push('too late'),
  ]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([done, later]).toEqual([['given back'], []]);
});

test('what cannot be given back is told, and keeps nothing else', async () => {
  const failure = new Error('busy');
  const { done, failures } = watched([() => Promise.reject(failure)]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([done, failures]).toEqual([['given back', 'collected'], [failure]]);
});

test('who closes waits for what is being given back, and nothing is given back afterwards', async () => {
  const work = Promise.withResolvers<void>();
  const { memory, done } = watched([() => work.promise]);
  await vi.advanceTimersByTimeAsync(1000);
  let closed = false;
  const closing = memory.close().then(() => (closed = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toBe(false);
  work.resolve();
  await closing;
  expect(done).toEqual(['given back', 'collected']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(done).toHaveLength(2);
});

test('the garbage collector of this process can be called', async () => {
  const failures: unknown[] = [];
  const before = process.memoryUsage().heapTotal;
  const memory = new QuietMemory({
    giveBack: [],
    onFailure: (error) => failures.push(error),
    quietMilliseconds: 1,
  });
  await vi.advanceTimersByTimeAsync(1);
  await memory.close();
  expect(failures).toEqual([]);
  expect(process.memoryUsage().heapTotal).toBeLessThanOrEqual(before);
});
