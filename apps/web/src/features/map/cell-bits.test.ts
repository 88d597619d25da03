import { outsideSlot } from '@cellfolio/map';
import { expect, test } from 'vitest';
import { cellsOfSlots, changedSelection, countsByCode, selectionOf, shownAmong } from './cell-bits.ts';

const cellsOf = (bits: Uint8Array) =>
  Array.from({ length: 8 * bits.length }, (_, cell) => cell).filter(
    (cell) => (bits[cell >> 3]! >> (cell & 7)) & 1,
  );
const bitsOf = (cells: readonly number[], count = 20) => {
  const bits = new Uint8Array(Math.ceil(count / 8));
  for (const cell of cells) bits[cell >> 3]! |= 1 << (cell & 7);
  return bits;
};

test('a selection replaces the one before, adds to it, or takes from it', () => {
  const before = selectionOf(bitsOf([1, 2, 17]));
  const now = bitsOf([2, 3, 19]);
  const cells = (change: 'replace' | 'add' | 'remove') => {
    const selection = changedSelection(before, now, change);
    return [selection?.count, cellsOf(selection!.bits)];
  };
  expect(cells('replace')).toEqual([3, [2, 3, 19]]);
  expect(cells('add')).toEqual([5, [1, 2, 3, 17, 19]]);
  expect(cells('remove')).toEqual([2, [1, 17]]);
  expect(before.bits).toEqual(bitsOf([1, 2, 17]));
  expect(changedSelection(before, bitsOf([1, 2, 17]), 'remove')).toBeNull();
  expect(changedSelection(null, bitsOf([]), 'add')).toBeNull();
});

test('cells that a map does not show are not selected with those around them', () => {
  const slots = Uint8Array.of(1, 2, outsideSlot, 1, 0, 1, 2, 2, 1);
  const palette = new Uint8Array(1024);
  for (const slot of [1, outsideSlot]) palette[4 * slot + 3] = 255;
  expect(cellsOf(shownAmong(bitsOf([0, 1, 2, 3, 4, 8], 9), { slots, palette }))).toEqual([0, 3, 8]);
});

test('the cells of categories are found by their slots', () => {
  expect(cellsOf(cellsOfSlots(Uint8Array.of(3, 1, 2, 3, 0, 1, 1, 1, 3), new Set([3, 0])))).toEqual([
    0, 3, 4, 8,
  ]);
});

test('a selection is counted by category, with the cells that have none', () => {
  const codes = Uint16Array.of(0, 1, 2, 2, 1, 0, 2, 2, 1, 300);
  expect(
    countsByCode(selectionOf(bitsOf([0, 2, 3, 8, 9], 10)), codes, 300).filter((cells) => cells > 0),
  ).toEqual(Uint32Array.of(1, 1, 2, 1));
});
