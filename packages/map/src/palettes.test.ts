import { expect, test } from 'vitest';
import {
  categoryPalette,
  otherSlot,
  rangePalette,
  type Rgb,
  slotsOfCategories,
  slotsOfCodes,
} from './palettes.ts';

const at = (palette: Uint8Array, slot: number) => [...palette.subarray(4 * slot, 4 * slot + 4)];
const grey: Rgb = [200, 200, 200];

test('each category has its colour, hidden ones and unused slots are not drawn', () => {
  const slots = slotsOfCategories([5, 3, 1]);
  const colours: Rgb[] = [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ];
  const palette = categoryPalette(slots, colours, { missing: grey, hidden: new Set([1]) });
  expect([0, 1, 2, 3, 4].map((slot) => at(palette, slot))).toEqual([
    [200, 200, 200, 255],
    [1, 2, 3, 255],
    [0, 0, 0, 0],
    [7, 8, 9, 255],
    [0, 0, 0, 0],
  ]);
  const codes = Uint8Array.of(0, 1, 3);
  expect(slotsOfCodes(codes, slots)).toBe(codes);
});

test('of 10,000 categories the 253 largest are told apart, the others share a slot', () => {
  const counts = Array.from({ length: 10_000 }, (_, category) =>
    category % 40 === 0 ? 1000 - category / 40 : 1,
  );
  const slots = slotsOfCategories(counts);
  expect(slots.filter((slot) => slot === otherSlot)).toHaveLength(9747);
  expect([slots[0], slots[40], slots[1]]).toEqual([1, 2, 251]);
  expect(slotsOfCodes(Uint16Array.of(0, 1, 41, 10_000), slots)).toEqual(Uint8Array.of(0, 1, 2, 254));
  const colours = counts.map((): Rgb => [9, 9, 9]);
  const some = categoryPalette(slots, colours, { other: grey, hidden: new Set([9999]) });
  expect(at(some, otherSlot)).toEqual([200, 200, 200, 255]);
  const all = new Set(counts.keys());
  expect(at(categoryPalette(slots, colours, { other: grey, hidden: all }), otherSlot)[3]).toBe(0);
});

test('exactly 254 categories all have slots of their own', () => {
  const slots = slotsOfCategories(new Array<number>(254).fill(1));
  expect(new Set(slots).size).toBe(254);
  const palette = categoryPalette(slots, slots.length ? Array.from(slots, (slot): Rgb => [slot, 0, 0]) : []);
  expect(at(palette, 254)).toEqual([254, 0, 0, 255]);
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
