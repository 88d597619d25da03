import { expect, test } from 'vitest';
import { spreadsheetCautions } from './spreadsheet-names.ts';

const symbols = 'CD3D CD3E LYZ NKG7 ACTB MALAT1 MARS1 MARS MARS-1 SEPTIN2 MARCH1 DEC1 OCT4 E2F1 B3GNT2'.split(
  ' ',
);
const was = (name: string, others: readonly string[] = symbols) =>
  spreadsheetCautions([...others, name])[0]?.numbers?.['was'];

test.each([
  ['1-Mar', 'MARCHF1 (MARCH1) or MTARC1 (MARC1)'],
  ['1-Mar-1', 'MARCHF1 (MARCH1) or MTARC1 (MARC1)'],
  ['Mar-01', 'MARCHF1 (MARCH1) or MTARC1 (MARC1)'],
  ['01. Mrz', 'MARCHF1 (MARCH1) or MTARC1 (MARC1)'],
  ['11-Mar', 'MARCHF11 (MARCH11)'],
  ['2-Sep', 'SEPTIN2 (SEPT2)'],
  ['2-Sep-18', 'SEPTIN2 (SEPT2)'],
  ['15-Sep', 'SELENOF (SEP15)'],
  ['1-Dec', 'DELEC1 (DEC1)'],
  ['4-Oct', 'POU5F1 (OCT4)'],
  ['2001-03-01', 'MARCHF1 (MARCH1) or MTARC1 (MARC1)'],
  ['2018-09-07 00:00:00', 'SEPTIN7 (SEPT7)'],
  ['2003-03-01', 'MARCHF1 (MARCH1) or MTARC1 (MARC1) or MARCHF3 (MARCH3)'],
  ['9/1/2018', 'SEPTIN1 (SEPT1)'],
  // 1 September 2018, and 2 September 2022 counted from 1904.
  ['43344', 'SEPTIN1 (SEPT1) or SEPTIN2 (SEPT2)'],
  // 1 September 2018 counted from 1904; of 1900 it is in August 2014.
  ['41882', 'SEPTIN1 (SEPT1)'],
  ['2.31E+13', 'a clone of RIKEN such as 2310000E07Rik'],
  ['4,93E+18', 'a clone of RIKEN such as 4930000E12Rik'],
  ['1.5E+40', 'a name of digits and an E'],
])('%s is named with what it was', (name, genes) => {
  expect(was(name)).toEqual([genes]);
});

test.each([
  'MARCH1',
  'SEPT2',
  'MARS-1',
  '2310009E13Rik',
  '16-Sep',
  '1-Apr',
  '7SK',
  '43345000',
  '20001',
  'AC004556.1',
  'ENSG00000000003',
  '5.8S',
  '1.2.03',
])('%s is a name like any other', (name) => {
  expect(was(name)).toBeUndefined();
});

test('a number of five digits among numbers is an identifier', () => {
  const numbers = Array.from({ length: 100 }, (_, at) => String(43_300 + at));
  expect(was('43344', numbers)).toBeUndefined();
  expect(was('1-Mar', numbers)).toHaveLength(1);
});

test('all are counted, the first are named', () => {
  const [caution] = spreadsheetCautions(Array.from({ length: 1234 }, () => '1-Mar'));
  expect(caution).toMatchObject({ code: 'spreadsheet-names', numbers: { genes: 1234 } });
  expect(caution!.message).toContain('1,234 genes have names that a spreadsheet made of a symbol');
  expect(caution!.message).toContain('and 1,214 more.');
});
