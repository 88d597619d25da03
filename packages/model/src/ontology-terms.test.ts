import { expect, test } from 'vitest';
import { type CategoricalColumn, packStrings } from './column.ts';
import { labelColumnOf, splitValues, termColumnOf, termsOfLabels } from './ontology-terms.ts';

const column = (categories: readonly string[], codes: readonly number[]): CategoricalColumn => ({
  kind: 'categorical',
  codes: Int8Array.from(codes),
  categories,
  categoryType: 'string',
  ordered: false,
});

test('a column of ids is named after its column of labels', () => {
  expect(termColumnOf('cell_type')).toBe('cell_type_ontology_term_id');
  expect(labelColumnOf('cell_type_ontology_term_id')).toBe('cell_type');
  expect(labelColumnOf('cell_type')).toBeUndefined();
  expect(labelColumnOf('_ontology_term_id')).toBeUndefined();
});

test('a label has its ids, those of most cells first, whatever the type of the columns', () => {
  const labels = column(['B cell', 'T cell', 'none of them'], [1, 1, 0, 1, -1, 1]);
  const ids = column(['CL:1', 'CL:2', 'CL:3'], [0, 2, 1, 2, 0, -1]);
  const expected = [
    { label: 'B cell', ids: [{ id: 'CL:2', cells: 1 }] },
    {
      label: 'T cell',
      ids: [
        { id: 'CL:3', cells: 2 },
        { id: 'CL:1', cells: 1 },
      ],
    },
  ];
  expect(termsOfLabels(ids, labels)).toEqual(expected);
  const text = {
    kind: 'string',
    strings: packStrings(['CL:1', 'CL:3', 'CL:2', 'CL:3', 'CL:1', '']),
    missing: Uint8Array.of(0, 0, 0, 0, 0, 1),
  } as const;
  expect(termsOfLabels(text, labels)).toEqual(expected);
  expect(termsOfLabels(column(['CL:7'], [0, 0]))).toEqual([
    { label: 'CL:7', ids: [{ id: 'CL:7', cells: 2 }] },
  ]);
  expect(termsOfLabels({ kind: 'boolean', values: Uint8Array.of(1) }, labels)).toEqual([]);
});

test('joined values are split, and each label has the id at its place', () => {
  expect(splitValues('a || b')).toEqual(['a', 'b']);
  expect(splitValues('a||b')).toEqual(['a||b']);
  expect(splitValues(' || b')).toEqual([' || b']);
  const labels = column(['asthma', 'asthma || cancer'], [0, 1]);
  const ids = column(['M:1', 'M:1 || M:2'], [0, 1]);
  expect(termsOfLabels(ids, labels)).toEqual([
    { label: 'asthma', ids: [{ id: 'M:1', cells: 2 }] },
    { label: 'cancer', ids: [{ id: 'M:2', cells: 1 }] },
  ]);
});
