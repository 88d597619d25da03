import { expect, test } from 'vitest';
import { drawnPixels, pixelsOf } from './image-data.ts';

test('a PNG tells its size in its first bytes; another file, or half a head, tells none', async () => {
  const head = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 4, 176, 0, 0, 3, 232, 8];
  const file = (bytes: readonly number[]) => new Blob([Uint8Array.from(bytes)]);
  expect(await pixelsOf(file(head))).toEqual({ width: 1200, height: 1000 });
  expect(await pixelsOf(file(head.slice(0, 20)))).toBeNull();
  expect(await pixelsOf(file([255, ...head.slice(1)]))).toBeNull();
});

test('a file for print is two columns of a journal wide, and never smaller than the one for the screen', () => {
  expect(drawnPixels({ width: 1200, height: 1000 }, 'umap')).toEqual({
    print: { width: 2160, height: 1800 },
    svg: { width: 600, height: 500 },
  });
  // As the server draws a violin plot of 60 groups, within its pixels.
  expect(drawnPixels({ width: 1200, height: 3100 }, 'violin').print).toEqual({ width: 1760, height: 4546 });
  for (const height of [400, 2500, 3100, 6000]) {
    const { print } = drawnPixels({ width: 1200, height }, 'violin');
    expect(print.width).toBeGreaterThanOrEqual(1200);
    expect(print.height).toBeGreaterThanOrEqual(height);
  }
});
