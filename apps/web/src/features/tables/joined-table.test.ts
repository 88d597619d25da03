import { expect, test } from 'vitest';
import { heldCsv } from './held-table.fixture.ts';
import { joinedTable } from './joined-table.ts';
import { textAt } from './table-columns.ts';

const kinds = new Map(
  ['logfoldchanges', 'pvals_adj'].map((name) => [name, { label: name, kind: 'number' as const }]),
);
const first = heldCsv('names,logfoldchanges,pvals_adj\na,2,0.01\nb,-2,0.01\nc,3,0.2\na,9,0.9\n', kinds);
const second = heldCsv(
  'group,names,logfoldchanges,pvals_adj\nT,b,-1,0.001\nT,d,4,1e-9\nB,a,1,1e-9\nT,c,0.5,0.01\n',
  kinds,
);
const side = (group?: string) => ({ table: 0, group, adjustedP: 0.05, foldChange: 1 });

test('genes of two tables stand side by side, each once, with where they pass', () => {
  const { columns, rowCount } = joinedTable([first, second], [side(), side('T')]);
  const rows = Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) => textAt(column, row)).join(' '),
  );
  expect(columns.map(({ name }) => name)).toEqual([
    'passes_in',
    'names',
    'logfoldchanges_1',
    'logfoldchanges_2',
    'pvals_adj_1',
    'pvals_adj_2',
  ]);
  expect(rows).toEqual([
    'first only a 2  0.01 ',
    'both b -2 -1 0.01 0.001',
    'neither c 3 0.5 0.2 0.01',
    'second only d  4  1e-9',
  ]);
});

test('a table without the columns, and a group that is not there, give no numbers', () => {
  const plain = heldCsv('names\nx\n');
  const { columns, rowCount } = joinedTable([plain, second], [side(), side('gone')]);
  expect(rowCount).toBe(1);
  expect(columns.map((column) => textAt(column, 0))).toEqual(['neither', 'x', '', '', '', '']);
});
