import { expect, test } from 'vitest';
import { memoryGuard } from './memory-guard.ts';

const mebibyte = 2 ** 20;

test('memory is short when less than a twentieth is left', () => {
  const guard = (available: number) =>
    memoryGuard(() => ({ used: 1000 * mebibyte, available: available * mebibyte }))();
  expect(guard(100)).toBe(false);
  expect(guard(40)).toBe(true);
});

test('a burst of calls looks once, and looks again later', () => {
  let looks = 0;
  let time = 0;
  const guard = memoryGuard(
    () => {
      looks += 1;
      return { used: 0, available: 1 };
    },
    () => time,
  );
  for (let call = 0; call < 100; call += 1) guard();
  expect(looks).toBe(1);
  time = 251;
  guard();
  expect(looks).toBe(2);
});

test('this process has memory left', () => {
  expect(memoryGuard()()).toBe(false);
});
