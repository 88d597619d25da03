import { outsideSlot } from '@cellfolio/map';
import { expect, test } from 'vitest';
import { selectionOf } from './cell-bits.ts';
import { nameOfSelection } from './selection-name.ts';

const entry = (label: string, slot: number, key = `=${label}`) => ({
  key,
  label,
  colour: '#112233',
  cells: 2,
  slot,
});
const legend = [entry('Regulatory T', 1), entry('Helper T', 2), entry('Not assigned', 0, 'missing')];
const title = 'Cell State';
const slots = Uint8Array.of(1, 2, 1, 0, 2);
const of = (cells: readonly number[], at = slots) => {
  const bits = Uint8Array.of(cells.reduce((sum, cell) => sum | (1 << cell), 0));
  return nameOfSelection(selectionOf(bits), { slots: at, legend, title });
};

test('a selection of whole categories has their names, and says of which column they are', () => {
  expect(of([0, 2])).toEqual({ name: 'Regulatory T', words: 'Cell State is Regulatory T' });
  expect(of([0, 1, 2, 4])).toEqual({
    name: 'Regulatory T, Helper T',
    words: 'Cell State is one of Regulatory T, Helper T',
  });
});

test('a part of a category, cells without one, and categories of a subset have no name', () => {
  expect(of([0])).toBeUndefined();
  expect(of([0, 1, 2])).toBeUndefined();
  expect(of([0, 2, 3])).toBeUndefined();
  expect(of([0, 2], Uint8Array.of(1, 2, 1, outsideSlot, 2))).toBeUndefined();
});
