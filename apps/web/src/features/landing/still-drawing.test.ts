import { expect, test } from 'vitest';
import type { BannerCells } from './banner-cells.ts';
import { frameAt } from './cloud-programme.ts';
import { createStillDrawing } from './still-drawing.ts';

/** One cell, of the second type, in the middle of the plane. */
const cells: BannerCells = {
  count: 1,
  places: Uint16Array.of(32_768, 32_768),
  types: Uint8Array.of(1),
  expression: [Uint8Array.of(255)],
};

test('M02 at rest the cells have the colours of their types, each where it lies', () => {
  const [width, height] = [41, 41];
  let shown = new Uint8ClampedArray();
  const context = {
    createImageData: () => ({ data: new Uint8ClampedArray(4 * width * height), width, height }),
    putImageData: (image: ImageData) => (shown = image.data as Uint8ClampedArray<ArrayBuffer>),
  };
  const canvas = { width, height, getContext: () => context } as unknown as HTMLCanvasElement;
  const drawing = createStillDrawing(canvas, cells);
  drawing?.setColours({
    types: [
      [0, 0, 0],
      [1, 0.2, 0],
    ],
    ramp: Array.from({ length: 6 }, () => [0, 0, 1] as const),
  });
  drawing?.draw(frameAt(0));
  const pixel = (x: number, y: number) =>
    Array.from(shown.slice(4 * (y * width + x), 4 * (y * width + x) + 4));
  expect(pixel(20, 20)).toEqual([255, 51, 0, 255]);
  expect(pixel(5, 5)).toEqual([0, 0, 0, 0]);
});
