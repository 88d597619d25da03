import { expect, test } from 'vitest';
import { pixelsOf } from './image-data.ts';

test('the first bytes of a PNG give its size; another file, or half a head, gives none', async () => {
  const head = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 4, 176, 0, 0, 3, 232, 8];
  const file = (bytes: readonly number[]) => new Blob([Uint8Array.from(bytes)]);
  expect(await pixelsOf(file(head))).toEqual({ width: 1200, height: 1000 });
  expect(await pixelsOf(file(head.slice(0, 20)))).toBeNull();
  expect(await pixelsOf(file([255, ...head.slice(1)]))).toBeNull();
});
