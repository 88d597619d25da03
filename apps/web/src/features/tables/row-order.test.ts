import { expect, test } from 'vitest';
import { heldCsv } from './held-table.fixture.ts';
import { RowOrder, type RowQuery } from './row-order.ts';

const kinds = new Map(
  ['scores', 'logfoldchanges', 'pvals_adj'].map((name) => [name, { label: name, kind: 'number' as const }]),
);
const all: RowQuery = {
  search: '',
  group: '',
  groupColumn: 'group',
  limits: { direction: 'all' },
  sorting: [],
};
const findRows = (csv: string, query: Partial<RowQuery>) =>
  Array.from(new RowOrder(heldCsv(csv, kinds)).find({ ...all, ...query }).rows);

test('a search for a name of two words finds that name, and else the rows that hold both words', () => {
  const csv = 'group,names,scores\nB cell,CD79A,9\nT cell,TRBC1,8\nNK,CD79A,7\n';
  expect(findRows(csv, { search: 'b cell' })).toEqual([0]);
  expect(findRows(csv, { search: ' trbc CELL ' })).toEqual([1]);
  expect(findRows(csv, { search: 'cd79a', group: 'NK' })).toEqual([2]);
  expect(findRows(csv, { search: 'nothing' })).toEqual([]);
  expect(findRows(csv, { group: 'gone' })).toEqual([]);
  expect(findRows(csv, { only: Int32Array.of(2, 1) })).toEqual([1, 2]);
});

test('limits keep what is within them, and what has no number is within none', () => {
  const csv = 'names,logfoldchanges,pvals_adj\na,1,0.01\nb,-2,0.01\nc,0.5,0.01\nd,3,0.05\ne,,0.001\nf,4,\n';
  expect(findRows(csv, { limits: { direction: 'all', adjustedP: 0.05 } })).toEqual([0, 1, 2, 4]);
  expect(findRows(csv, { limits: { direction: 'all', adjustedP: 0.05, foldChange: 1 } })).toEqual([0, 1]);
  expect(findRows(csv, { limits: { direction: 'lower' } })).toEqual([1]);
});

test('numbers of any sign and size are sorted as a comparison of them sorts, missing ones last in either direction', () => {
  const numbers = [3, -1, NaN, 0, -0, 5e-324, -5e-324, 1e300, -1e300, Infinity, -Infinity, NaN, 2.5, -2.5];
  let state = 3;
  for (let n = 0; n < 3000; n++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    numbers.push((state % 1000) / 7 - 60);
  }
  const csv = `scores\n${numbers.map((value) => (Number.isNaN(value) ? '' : String(value).replace('Infinity', 'inf'))).join('\n')}\n`;
  for (const descending of [false, true]) {
    const expected = Array.from(numbers.keys()).sort((one, other) => {
      const [a, b] = [numbers[one]!, numbers[other]!];
      if (Number.isNaN(a) || Number.isNaN(b))
        return Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || one - other;
      return (a === b ? 0 : a < b ? -1 : 1) * (descending ? -1 : 1) || one - other;
    });
    expect(findRows(csv, { sorting: [{ column: 0, descending }] })).toEqual(expected);
  }
});

test('names are sorted as people do, and equal rows by the next column, then as in the file', () => {
  const csv = 'group,scores\ncluster 10,1\ncluster 2,1\nCluster 2,3\ncluster 10,2\ncluster 2,3\n';
  expect(findRows(csv, { sorting: [{ column: 0, descending: false }] })).toEqual([1, 2, 4, 0, 3]);
  const both = [
    { column: 0, descending: true },
    { column: 1, descending: true },
  ];
  expect(findRows(csv, { sorting: both })).toEqual([3, 0, 2, 4, 1]);
});

test('the first row of each gene is marked, in the order of the rows', () => {
  const order = new RowOrder(heldCsv('group,names,scores\nA,x,1\nA,,9\nB,x,3\nB,y,2\n', kinds));
  const geneRows = (query: Partial<RowQuery>) => Array.from(order.find({ ...all, ...query }).geneRows);
  expect(geneRows({})).toEqual([0, 3]);
  expect(geneRows({ sorting: [{ column: 2, descending: true }] })).toEqual([2, 3]);
  expect(geneRows({ group: 'A' })).toEqual([0]);
});
