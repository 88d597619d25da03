import { expect, test } from 'vitest';
import { SharedWork } from './concurrency.ts';

function pending() {
  const calls: { signal: AbortSignal; resolve: (value: number) => void; reject: (error: Error) => void }[] =
    [];
  const read = (signal: AbortSignal) =>
    new Promise<number>((resolve, reject) => {
      calls.push({ signal, resolve, reject });
    });
  return { calls, read };
}

test('identical reads at the same time run once', async () => {
  const shared = new SharedWork<string, number>();
  const { calls, read } = pending();
  const all = Promise.all([shared.run('a', undefined, read), shared.run('a', undefined, read)]);
  calls[0]!.resolve(7);
  expect(await all).toEqual([7, 7]);
  expect(calls).toHaveLength(1);
});

test('a caller that is cancelled leaves at once and does not disturb the other', async () => {
  const shared = new SharedWork<string, number>();
  const { calls, read } = pending();
  const leaving = new AbortController();
  const left = shared.run('a', leaving.signal, read);
  const stayed = shared.run('a', undefined, read);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(calls[0]!.signal.aborted).toBe(false);
  calls[0]!.resolve(7);
  expect(await stayed).toBe(7);
});

test('the read is cancelled when its last caller has left, and a later caller starts a new one', async () => {
  const shared = new SharedWork<string, number>();
  const { calls, read } = pending();
  const leaving = new AbortController();
  const left = shared.run('a', leaving.signal, read);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(calls[0]!.signal.aborted).toBe(true);
  const again = shared.run('a', undefined, read);
  expect(calls).toHaveLength(2);
  calls[1]!.resolve(8);
  expect(await again).toBe(8);
});

test('a failed read fails for all its callers and is not remembered', async () => {
  const shared = new SharedWork<string, number>();
  const { calls, read } = pending();
  const both = Promise.allSettled([shared.run('a', undefined, read), shared.run('a', undefined, read)]);
  calls[0]!.reject(new Error('broken'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = shared.run('a', undefined, read);
  calls[1]!.resolve(1);
  expect(await again).toBe(1);
});
