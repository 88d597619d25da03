import { expect, test } from 'vitest';
import { ExpiringCache } from './expiring-cache.ts';

function remembering() {
  let time = 0;
  let callCount = 0;
  const memory = new ExpiringCache<number>(1000, () => time);
  const ask = (key = 'a') => memory.recall(key, async () => ++callCount);
  return { memory, ask, wait: (ms: number) => (time += ms) };
}

test('a value is loaded again after its lifetime', async () => {
  const { ask, wait } = remembering();
  expect([await ask(), await ask()]).toEqual([1, 1]);
  wait(1000);
  expect(await ask()).toBe(2);
});

test('a forgotten key is loaded again at once, also while it is loading', async () => {
  const { memory, ask } = remembering();
  const early = ask();
  memory.forget('a');
  expect([await ask(), await early, await ask()]).toEqual([2, 1, 2]);
});

test('a failure is not cached and does not remove a later value', async () => {
  const memory = new ExpiringCache<number>(1000, () => 0);
  const failing = memory.recall('a', () => Promise.reject(new Error('down')));
  memory.forget('a');
  const working = memory.recall('a', async () => 1);
  await expect(failing).rejects.toThrow('down');
  expect([await working, await memory.recall('a', async () => 2)]).toEqual([1, 1]);
});
