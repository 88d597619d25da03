import { expect, test } from 'vitest';
import type { BannerCells } from './banner-cells.ts';
import { frameAt } from './run-cloud.ts';
import { createPixelDrawing } from './pixel-drawing.ts';

const cells: BannerCells = {
  count: 1,
  places: Uint16Array.of(32_768, 32_768),
  types: Uint8Array.of(1),
  expression: [Uint8Array.of(255)],
};

function renderFrames(times: readonly number[]): readonly Uint8ClampedArray[] {
  const [width, height] = [401, 401];
  const shown: Uint8ClampedArray[] = [];
  const context = {
    createImageData: () => ({ data: new Uint8ClampedArray(4 * width * height), width, height }),
    putImageData: (image: ImageData) => shown.push(image.data.slice()),
  };
  const canvas = { width, height, getContext: () => context } as unknown as HTMLCanvasElement;
  const drawing = createPixelDrawing(canvas, cells);
  drawing?.setColours({
    types: [
      [0, 0, 0],
      [1, 0.2, 0],
    ],
    ramp: Array.from({ length: 6 }, () => [0, 0, 1] as const),
  });
  for (const time of times) drawing?.draw(frameAt(time));
  return shown;
}

const pixel = (picture: Uint8ClampedArray | undefined, x: number, y: number) =>
  Array.from(picture?.slice(4 * (y * 401 + x), 4 * (y * 401 + x) + 4) ?? []);

function centre(picture: Uint8ClampedArray | undefined) {
  const totals = { x: 0, y: 0, count: 0 };
  for (let at = 0; at < 401 * 401; at++) {
    if (picture?.[4 * at + 3] === 0) continue;
    totals.x += at % 401;
    totals.y += Math.floor(at / 401);
    totals.count++;
  }
  return { x: totals.x / totals.count, y: totals.y / totals.count };
}

test('without a graphics processor the cells have the colours of their types, each where it lies', () => {
  const [picture] = renderFrames([0]);
  const { x, y } = centre(picture);
  expect(Math.hypot(x - 200, y - 200)).toBeLessThan(6);
  expect(pixel(picture, Math.round(x), Math.round(y))).toEqual([255, 51, 0, 255]);
  expect(pixel(picture, 5, 5)).toEqual([0, 0, 0, 0]);
});

test('the cells drift a little from frame to frame, and leave nothing where they were', () => {
  const pictures = renderFrames([0, 1, 2, 3, 4]);
  const centres = pictures.map(centre);
  const painted = pictures.map((picture) => picture.filter((value, i) => i % 4 === 3 && value > 0).length);
  expect(new Set(painted).size).toBe(1);
  expect(new Set(centres.map(({ x, y }) => `${x} ${y}`)).size).toBeGreaterThan(3);
  for (const { x, y } of centres) expect(Math.hypot(x - 200, y - 200)).toBeLessThan(12);
});

test('a gene comes over the types in steps: halfway the colours are between both', () => {
  // Types are shown for six seconds, then blend into the first gene for 1.1.
  const [halfway, after] = renderFrames([6.55, 7.2]);
  const colour = (picture: Uint8ClampedArray | undefined) => {
    const { x, y } = centre(picture);
    return pixel(picture, Math.round(x), Math.round(y));
  };
  expect(colour(halfway)).toEqual([127, 25, 127, 255]);
  expect(colour(after)).toEqual([0, 0, 255, 255]);
});
