import type { CategoricalColumn } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { cellStrata, chooseColumns } from './choose-columns.ts';

const cellCount = 500;

function column(categories: number, codeOf = (cell: number) => cell % categories): CategoricalColumn {
  return {
    kind: 'categorical',
    codes: Int32Array.from({ length: cellCount }, (_, cell) => codeOf(cell)),
    categories: Array.from({ length: Math.max(1, categories) }, (_, i) => String(i)),
    categoryType: 'string',
    ordered: false,
  };
}

const namesOf = (groups: Record<string, CategoricalColumn>, perGene: number, geneCount = 10) =>
  chooseColumns(new Map(Object.entries(groups)), { geneCount, valueCount: perGene * geneCount }).map(
    ({ name }) => name,
  );

test('columns with many categories, or with none, get no statistics', () => {
  const groups = { many: column(65), largest: column(64), none: column(1, () => -1), few: column(2) };
  expect(namesOf(groups, 1e6)).toEqual(['largest', 'few']);
});

test('statistics stay small beside the matrix, and the first columns come first', () => {
  const groups = { a: column(4), b: column(30), c: column(3) };
  expect(namesOf(groups, 16 * 9)).toEqual(['a', 'c']);
  expect(namesOf(groups, 16 * 36)).toEqual(['a', 'b']);
  expect(namesOf(groups, 16 * 40)).toEqual(['a', 'b', 'c']);
  expect(namesOf(groups, 16 * 4)).toEqual(['c']);
  expect(namesOf(groups, 0, 0)).toEqual([]);
});

test('statistics stay within 64 MiB, whatever the size of the matrix', () => {
  const groups = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`column ${i}`, column(60)]));
  // 61 slots of 30,000 genes take 37 MB.
  expect(namesOf(groups, 1e9, 30_000)).toEqual(['column 0']);
});

test('columns that depend on each other make few strata together, and others are cut apart', () => {
  const patients = column(10);
  const groups = new Map([
    ['patient', patients],
    ['stage', column(2, (cell) => (patients.codes[cell]! < 4 ? 0 : 1))],
    ['type', column(7, (cell) => Math.floor(cell / 10) % 7)],
    ['unknown to some', column(3, (cell) => (cell % 10 === 0 ? -1 : 2))],
  ]);
  const chosen = chooseColumns(groups, { geneCount: 1, valueCount: 1e9 });
  const cuts = cellStrata(chosen, { cellCount, maxStrata: 40 });
  expect(cuts.map(({ columns, count }) => [columns.map(({ name }) => name).join(), count])).toEqual([
    ['patient,stage', 10],
    ['type,unknown to some', 14],
  ]);
  for (const { columns, strata, slots } of cuts) {
    for (const [i, { slots: ofCell }] of columns.entries()) {
      expect(Uint8Array.from(strata, (stratum) => slots[i]![stratum]!)).toEqual(ofCell);
    }
  }
});
