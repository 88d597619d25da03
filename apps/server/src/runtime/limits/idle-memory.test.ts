import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleMemory } from './idle-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(release: readonly (() => Promise<unknown>)[] = []) {
  const done: string[] = [];
  const failures: unknown[] = [];
  const held = { bytes: 100 };
  const memory = new IdleMemory({
    release: [async () => void done.push('released'), ...release],
    onFailure: (error) => failures.push(error),
    idleMilliseconds: 1000,
    collect: () => {
      done.push('collected');
      held.bytes = 100;
    },
    resident: () => held.bytes,
  });
  return { memory, done, failures, held };
}

test('memory is released and collected once the process is idle, and only once', async () => {
  const { done } = watched();
  await vi.advanceTimersByTimeAsync(999);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(done).toEqual(['released', 'collected']);
});

test('nothing is released during a call, and the idle time starts when it ends', async () => {
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
  expect(done).toEqual(['released', 'collected']);
});

test('after the next calls memory is released again only if it has grown', async () => {
  const { memory, done, held } = watched();
  await vi.advanceTimersByTimeAsync(1000);
  memory.called()();
  held.bytes = 114;
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).toEqual(['released', 'collected']);
  memory.called()();
  held.bytes = 116;
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).toEqual(['released', 'collected', 'released', 'collected']);
});

test('a call during a release stops the rest of it', async () => {
  const calls: (() => void)[] = [];
  const later: string[] = [];
  const { memory, done } = watched([
    async () => void calls.push(memory.called()),
    async () => void later.push('too late'),
  ]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([done, later]).toEqual([['released'], []]);
});

test('a failed release is reported and does not stop the others', async () => {
  const failure = new Error('busy');
  const { done, failures } = watched([() => Promise.reject(failure)]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([done, failures]).toEqual([['released', 'collected'], [failure]]);
});

test('closing waits for a running release and prevents further ones', async () => {
  const work = Promise.withResolvers<void>();
  const { memory, done } = watched([() => work.promise]);
  await vi.advanceTimersByTimeAsync(1000);
  let closed = false;
  const closing = memory.close().then(() => (closed = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toBe(false);
  work.resolve();
  await closing;
  expect(done).toEqual(['released', 'collected']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(done).toHaveLength(2);
});

test('the garbage collector of this process can be called', async () => {
  const failures: unknown[] = [];
  const before = process.memoryUsage().heapTotal;
  const memory = new IdleMemory({
    release: [],
    onFailure: (error) => failures.push(error),
    idleMilliseconds: 1,
  });
  await vi.advanceTimersByTimeAsync(1);
  await memory.close();
  expect(failures).toEqual([]);
  expect(process.memoryUsage().heapTotal).toBeLessThanOrEqual(before);
});
