import { clusterField } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { repeatedLabels } from './category-list.tsx';
import { categoryNames, namesText } from './category-names.ts';

const displays = [
  { column: 'type', revision: 1, categories: [{ name: 'T', label: 'T cells' }, { name: '__proto__' }] },
  { column: 'leiden', revision: 2, categories: [{ name: '0', label: 'Tumour' }, { name: '1' }] },
  { column: 'response', revision: 1, categories: [{ name: 'R', label: 'Responders' }] },
];
const columns = {
  cell_types: 'type',
  leiden_clusters: 'leiden',
  patient_metadata: [{ field: 'Response', column: 'response' }],
};

test('a category is called as its user named it, by the column, the part or the field that it is of', () => {
  const names = categoryNames(displays, columns);
  expect(names.cellType('T')).toBe('T cells');
  expect(names.cluster('0')).toBe('Tumour');
  expect(names.ofField('Response', 'R')).toBe('Responders');
  expect(names.ofField(clusterField, '0')).toBe('Tumour');
  expect(names.ofColumn('type', 'T')).toBe('T cells');
});

test('a category without a name of one’s own, or of no column, keeps that of the dataset', () => {
  const names = categoryNames(displays, columns);
  expect(names.cellType('__proto__')).toBe('__proto__');
  expect(names.ofField('Other', 'R')).toBe('R');
  expect(names.ofColumn(undefined, 'T')).toBe('T');
  // Not opened yet: nobody knows which column the cell types are.
  expect(categoryNames(displays, undefined).cellType('T')).toBe('T');
});

test('a tooltip shows both names where they differ', () => {
  expect(namesText('T cells', 'T')).toBe('T cells (in the dataset: T)');
  expect(namesText('T', 'T')).toBe('T');
});

test('names that would look the same are reported, but not those that the dataset itself has', () => {
  const draft = [
    { name: 'a', label: ' B  cell ' },
    { name: 'B cell', label: '' },
    { name: 'c', label: 'c' },
  ];
  expect([...repeatedLabels(draft)]).toEqual(['a', 'B cell']);
  expect(
    repeatedLabels([
      { name: 'x ', label: 'x ' },
      { name: 'x', label: 'x' },
    ]).size,
  ).toBe(0);
});
