import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { encodePng } from './encode-png.ts';

test('another decoder reads the indexed image back', () => {
  const palette = Uint8Array.of(255, 255, 255, 10, 20, 30, 200, 100, 0);
  const png = encodePng({ width: 3, height: 2, pixels: Uint8Array.of(0, 1, 2, 2, 1, 0), palette });
  const image = PNG.sync.read(Buffer.from(png));
  expect([image.width, image.height]).toEqual([3, 2]);
  expect([...image.data.subarray(4, 12)]).toEqual([10, 20, 30, 255, 200, 100, 0, 255]);
});

test('the ground is transparent on request', () => {
  const palette = Uint8Array.of(255, 255, 255, 10, 20, 30);
  const png = encodePng({
    width: 2,
    height: 1,
    pixels: Uint8Array.of(0, 1),
    palette,
    transparentGround: true,
  });
  const { data } = PNG.sync.read(Buffer.from(png));
  expect([data[3], data[7]]).toEqual([0, 255]);
});

test('another decoder reads the true-colour image back', () => {
  const pixels = Uint8Array.of(1, 2, 3, 4, 5, 6);
  const image = PNG.sync.read(Buffer.from(encodePng({ width: 1, height: 2, pixels })));
  expect([...image.data]).toEqual([1, 2, 3, 255, 4, 5, 6, 255]);
});

test('300 dots an inch are written as 11,811 a metre', () => {
  const png = Buffer.from(encodePng({ width: 1, height: 1, pixels: new Uint8Array(3), dotsPerInch: 300 }));
  const at = png.indexOf('pHYs') + 4;
  expect([png.readUInt32BE(at), png.readUInt32BE(at + 4), png[at + 8]]).toEqual([11_811, 11_811, 1]);
});
