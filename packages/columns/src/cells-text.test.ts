import { describe, expect, test } from 'vitest';
import { decodeCells, encodeCells } from './cells-text.ts';
import { ColumnFormatError } from './map-column.ts';

function bitsOf(cells: number, isSelected: (cell: number) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(cells / 8));
  for (let cell = 0; cell < cells; cell++) if (isSelected(cell)) bits[cell >> 3]! |= 1 << (cell & 7);
  return bits;
}
function random(): () => number {
  let state = 1234567;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
const urlSafe = (bytes: number[]) => Buffer.from(bytes).toString('base64url');

describe('a selection as text', () => {
  test.each([0, 1, 7, 8, 9, 64, 127, 128, 129, 1000, 16_385])('of %i cells is read back equal', (cells) => {
    const next = random();
    const selections = [
      bitsOf(cells, () => false),
      bitsOf(cells, () => true),
      bitsOf(cells, (cell) => cell === cells - 1),
      bitsOf(cells, (cell) => cell === 0),
      bitsOf(cells, (cell) => cell % 2 === 0),
      bitsOf(cells, (cell) => cell > cells / 3 && cell < cells / 2),
      bitsOf(cells, () => next() < 0.03),
      bitsOf(cells, () => next() < 0.5),
    ];
    for (const bits of selections) {
      const text = encodeCells(bits, cells);
      expect(text).toMatch(/^[\w-]+$/);
      expect(decodeCells(text, cells)).toEqual(bits);
      expect(text.length).toBeLessThanOrEqual(cells / 6 + 4);
    }
  });

  test('is the lengths of its runs, or a bit for each cell where that is shorter', () => {
    expect(
      encodeCells(
        bitsOf(1000, (cell) => cell >= 300 && cell < 310),
        1000,
      ),
    ).toBe(urlSafe([0, (300 & 127) | 128, 300 >> 7, 10]));
    expect(
      encodeCells(
        bitsOf(8, (cell) => cell % 2 === 0),
        8,
      ),
    ).toBe(urlSafe([1, 0b01010101]));
  });

  test('of bits beyond the last cell leaves them out', () => {
    expect(decodeCells(encodeCells(Uint8Array.of(0b11010101), 5), 5)).toEqual(Uint8Array.of(0b10101));
  });

  test.each([
    ['no text', ''],
    ['no base64url', 'AA+/'],
    ['base64 with padding', 'AAE='],
    ['a character too many', 'AAECA'],
    ['an unknown first byte', urlSafe([2, 1])],
    ['a run that is cut off', urlSafe([0, 128])],
    ['a run that ends beyond the last cell', urlSafe([0, 90, 11])],
    ['a run of more cells than numbers have', urlSafe([0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 127])],
    ['an empty run', urlSafe([0, 5, 0, 5])],
    ['bits of fewer cells', urlSafe([1, ...Array.from({ length: 12 }, () => 1)])],
    ['bits of more cells', urlSafe([1, ...Array.from({ length: 14 }, () => 1)])],
    ['a bit beyond the last cell', urlSafe([1, ...Array.from({ length: 12 }, () => 0), 0b10000])],
  ])('that is %s is refused', (_, text) => {
    expect(() => decodeCells(text, 100)).toThrow(ColumnFormatError);
  });
});
