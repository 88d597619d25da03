import { expect, test } from 'vitest';
import { MISSING_GREY, categoryColours, cellTypePalette, colourOfCategory } from './category-colours.ts';

test('known cell types have their own colour whatever their order', () => {
  expect(categoryColours(['NK', 'CD19+ B'], 'cell-type')).toEqual([
    cellTypePalette.nk,
    cellTypePalette['b-cell'],
  ]);
  expect(colourOfCategory('B cells', ['Mast', 'B cells'], 'cell-type')).toBe(cellTypePalette['b-cell']);
});

test('the first of several categories of one type has its colour, the others differ', () => {
  const colours = categoryColours(['CD4+ T cell', 'CD8+ T cell', 'Dendritic'], 'cell-type');
  expect(colours[0]).toBe(cellTypePalette['t-cell']);
  expect(new Set(colours).size).toBe(3);
});

test('an unknown cell type never has the colour of a known one', () => {
  const colours = categoryColours(
    Array.from({ length: 50 }, (_, i) => `type ${i + 1}x`),
    'cell-type',
  );
  for (const fixed of Object.values(cellTypePalette)) expect(colours).not.toContain(fixed);
  expect(new Set(colours).size).toBe(50);
});

test('a label that is not among the categories is grey', () => {
  expect(colourOfCategory('x', ['a', 'b'])).toBe(MISSING_GREY);
});
