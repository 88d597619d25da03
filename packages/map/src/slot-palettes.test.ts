import { expect, test } from 'vitest';
import { outsideSlot, rangePalette, type Rgb, slotPalette } from './slot-palettes.ts';

const at = (palette: Uint8Array, slot: number) => [...palette.subarray(4 * slot, 4 * slot + 4)];
const grey: Rgb = [200, 200, 200];

test('slots without a colour are not drawn', () => {
  const palette = slotPalette([
    [3, [7, 8, 9]],
    [outsideSlot, grey],
  ]);
  expect([2, 3, 255].map((slot) => at(palette, slot))).toEqual([
    [0, 0, 0, 0],
    [7, 8, 9, 255],
    [200, 200, 200, 255],
  ]);
});

const stops: Rgb[] = [
  [0, 0, 0],
  [100, 0, 0],
  [100, 200, 0],
];
const values = Float64Array.from({ length: 256 }, (_, slot) => slot);

test('a range is coloured between its ends, and beyond them as at the ends', () => {
  const palette = rangePalette(stops, values, { range: [50, 150], zero: grey });
  expect(at(palette, 0)).toEqual([200, 200, 200, 255]);
  expect([10, 50, 75, 100, 125, 150, 254].map((slot) => at(palette, slot).slice(0, 2))).toEqual([
    [0, 0],
    [0, 0],
    [50, 0],
    [100, 0],
    [100, 100],
    [100, 200],
    [100, 200],
  ]);
});

test('on a log scale equal ratios of counts are equal steps of colour', () => {
  const palette = rangePalette(stops, values, { range: [0, 255], log: true });
  expect(at(palette, 15)).toEqual([100, 0, 0, 255]);
});

test('missing values have their own colour or none, and a range without extent has two colours', () => {
  const holed = values.slice();
  holed[0] = NaN;
  expect(at(rangePalette(stops, holed, { range: [0, 10] }), 0)).toEqual([0, 0, 0, 0]);
  expect(at(rangePalette(stops, holed, { range: [0, 10], missing: grey }), 0)).toEqual([200, 200, 200, 255]);
  const flat = rangePalette(stops, values, { range: [7, 7] });
  expect([at(flat, 6), at(flat, 7)]).toEqual([
    [0, 0, 0, 255],
    [100, 200, 0, 255],
  ]);
});

test('a column without any value has no colour but that of missing ones', () => {
  const palette = rangePalette(stops, new Float64Array(256).fill(NaN), { range: [NaN, NaN] });
  expect(palette.every((byte) => byte === 0)).toBe(true);
});
