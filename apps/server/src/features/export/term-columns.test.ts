import type { UserColumn } from '../../runtime/compute/own-columns.ts';
import { expect, test } from 'vitest';
import { withTermColumns } from './term-columns.ts';

const labels = (terms?: readonly (string | undefined)[]): UserColumn => ({
  id: 'a',
  revision: 3,
  name: 'cell_type_mine',
  column: {
    kind: 'categorical',
    codes: Int8Array.of(0, 1, 2, 3, -1),
    categories: ['T', 'B', 'other', 'T again'],
    categoryType: 'string',
    ordered: false,
    ...(terms && { terms }),
  },
});

test('labels with terms are followed by a column of their ids, missing where a group has none', () => {
  const own = labels(['CL:0000084', 'CL:0000236', undefined, 'CL:0000084']);
  const [first, ids, ...rest] = withTermColumns([own], []);
  expect(first).toBe(own);
  expect(rest).toEqual([]);
  expect(ids).toMatchObject({
    name: 'cell_type_mine_ontology_term_id',
    column: { categories: ['CL:0000084', 'CL:0000236'], codes: Int8Array.of(0, 1, -1, 0, -1) },
  });
});

test('labels without terms, and those whose column of ids the dataset has, stay alone', () => {
  expect(withTermColumns([labels()], [])).toHaveLength(1);
  const own = labels(['CL:0000084', undefined, undefined, undefined]);
  expect(withTermColumns([own], ['cell_type_mine_ontology_term_id'])).toEqual([own]);
});
