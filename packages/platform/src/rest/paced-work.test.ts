import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PacedWork } from './paced-work.ts';

test('pieces of all callers run one at a time, in the order of their requests', async () => {
  const work = new PacedWork();
  const events: string[] = [];
  const piece = (name: string) => async () => {
    events.push(`${name} begins`);
    await sleep(5);
    events.push(`${name} ends`);
    return name;
  };
  expect(await Promise.all([work.run(piece('a')), work.run(piece('b'))])).toEqual(['a', 'b']);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a piece that fails fails for its caller alone', async () => {
  const work = new PacedWork();
  const failed = work.run(() => Promise.reject(new Error('no')));
  const next = work.run(() => Promise.resolve(1));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe(1);
});

test('the next piece waits about as long as the last one took', async () => {
  const work = new PacedWork();
  let ended = 0;
  await work.run(async () => {
    await sleep(30);
    ended = performance.now();
  });
  const begun = await work.run(() => Promise.resolve(performance.now()));
  expect(begun - ended).toBeGreaterThanOrEqual(25);
});

test('the rest is nine times as long after a piece for which other calls waited, and no longer after the next', async () => {
  const work = new PacedWork();
  const piece = async () => {
    const begun = performance.now();
    await sleep(10);
    return { begun, ended: performance.now() };
  };
  const first = await work.run(() => {
    work.noteWaiting();
    return piece();
  });
  const second = await work.run(piece);
  const third = await work.run(piece);
  expect(second.begun - first.ended).toBeGreaterThanOrEqual(80);
  expect(third.begun - second.ended).toBeLessThan(second.begun - first.ended);
});
