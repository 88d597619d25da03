import { expect, test } from 'vitest';
import { pixelsOf } from './image-data.ts';

test('a PNG tells its size in its first bytes; another file, or half a head, tells none', async () => {
  const head = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 4, 176, 0, 0, 3, 232, 8];
  const file = (bytes: readonly number[]) => new Blob([Uint8Array.from(bytes)]);
  expect(await pixelsOf(file(head))).toEqual({ width: 1200, height: 1000 });
  expect(await pixelsOf(file(head.slice(0, 20)))).toBeNull();
  expect(await pixelsOf(file([255, ...head.slice(1)]))).toBeNull();
});
