import { expect, test } from 'vitest';
import { type ProgressEvent, ProgressHub } from './progress-hub.ts';

const ref = { userId: 'u', requestId: 'r' };

async function collect(events: AsyncIterable<ProgressEvent>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { done } of events) seen.push(done);
  return seen;
}

test('a watcher sees the progress of a call until it ends', async () => {
  const hub = new ProgressHub();
  const watching = collect(hub.watch(ref, new AbortController().signal));
  const call = hub.start(ref);
  for (const done of [1, 2, 3]) {
    call.report({ stage: 'drawing', done, total: 3 });
    await new Promise(setImmediate);
  }
  call.finish();
  expect(await watching).toEqual([1, 2, 3]);
  expect(hub.size).toBe(0);
});

test("nobody sees another user's call", async () => {
  const hub = new ProgressHub();
  const leaving = new AbortController();
  const watching = collect(hub.watch({ userId: 'stranger', requestId: 'r' }, leaving.signal));
  const call = hub.start(ref);
  call.report({ stage: 'drawing', done: 1, total: 1 });
  call.finish();
  leaving.abort();
  expect(await watching).toEqual([]);
  expect(hub.size).toBe(0);
});

test('a watcher that comes late sees the last event', async () => {
  const hub = new ProgressHub();
  const call = hub.start(ref);
  call.report({ stage: 'drawing', done: 2, total: 5 });
  const watching = collect(hub.watch(ref, new AbortController().signal));
  await new Promise(setImmediate);
  call.finish();
  expect(await watching).toEqual([2]);
});
