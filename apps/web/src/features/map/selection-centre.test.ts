import { expect, test } from 'vitest';
import { selectionOf } from './cell-bits.ts';
import { centreOfSelection } from './selection-centre.ts';

const column = {
  kind: 'positions',
  cells: 10,
  positions: Uint16Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? at / 2 : 100)),
  origin: [-5, 2],
  step: 0.5,
  morton: false,
  missing: 0,
} as const;
const selected = (...cells: number[]) => {
  const bits = new Uint8Array(2);
  for (const cell of cells) bits[cell >> 3]! |= 1 << (cell & 7);
  return selectionOf(bits);
};

test('the centre of selected cells is in the coordinates of the embedding', () => {
  expect(centreOfSelection(column, selected(1, 9))).toEqual([-2.5, 52]);
});

test('cells without a place count for nothing', () => {
  const unplaced = Uint8Array.of(0, 2);
  expect(centreOfSelection({ ...column, missing: 1, unplaced }, selected(1, 9))).toEqual([-4.5, 52]);
  expect(centreOfSelection({ ...column, missing: 1, unplaced }, selected(9))).toBeUndefined();
});
