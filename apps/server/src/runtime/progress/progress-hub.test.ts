import type { ProgressEvent } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { ProgressHub } from './progress-hub.ts';
import type { ProgressMessage, ProgressRelay } from './progress-relay.ts';

const ref = { userId: 'u', requestId: 'r' };

async function collect(events: AsyncIterable<ProgressEvent>): Promise<number[]> {
  const doneCounts: number[] = [];
  for await (const { done } of events) doneCounts.push(done);
  return doneCounts;
}

test('a watcher gets the progress of a call until it ends', async () => {
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

test("a user cannot watch another user's call", async () => {
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

test('a late watcher gets the last event', async () => {
  const hub = new ProgressHub();
  const call = hub.start(ref);
  call.report({ stage: 'drawing', done: 2, total: 5 });
  const watching = collect(hub.watch(ref, new AbortController().signal));
  await new Promise(setImmediate);
  call.finish();
  expect(await watching).toEqual([2]);
});

function twoHubs() {
  const listeners: ((message: ProgressMessage) => void)[] = [];
  const relayOf = (me: number): ProgressRelay => ({
    send: (message) => listeners[1 - me]?.(message),
    onMessage: (listener) => void (listeners[me] = listener),
    close: async () => {},
  });
  return [new ProgressHub(relayOf(0)), new ProgressHub(relayOf(1))] as const;
}

test('a watcher in another process gets the progress and the end of a call', async () => {
  const [here, there] = twoHubs();
  const watching = collect(there.watch(ref, new AbortController().signal));
  await new Promise(setImmediate);
  const call = here.start(ref);
  call.report({ stage: 'drawing', done: 1, total: 3 });
  // Too soon after the first to be sent.
  call.report({ stage: 'drawing', done: 2, total: 3 });
  call.finish();
  expect(await watching).toEqual([1]);
  expect([here.size, there.size]).toEqual([0, 0]);
});

test('progress of calls that are not watched in this process is not kept', () => {
  const [here, there] = twoHubs();
  const call = here.start(ref);
  call.report({ stage: 'drawing', done: 1, total: 3 });
  expect(there.size).toBe(0);
  call.finish();
});

test('nothing is left of a watched call whose process died', async () => {
  const [here, there] = twoHubs();
  const leaving = new AbortController();
  const watching = collect(there.watch(ref, leaving.signal));
  await new Promise(setImmediate);
  here.start(ref).report({ stage: 'drawing', done: 1, total: 3 });
  await new Promise(setImmediate);
  leaving.abort();
  expect(await watching).toEqual([1]);
  expect(there.size).toBe(0);
});
