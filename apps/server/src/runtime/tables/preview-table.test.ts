import { expect, test } from 'vitest';
import { previewTable } from './preview-table.ts';

const cells = (html: string) => Array.from(html.matchAll(/<td>(.*?)<\/td>/g), ([, text]) => text);

test.each(['pvals', 'pvals_adj', 'P-value', 'Adjusted P-value'])(
  'in the column %s a number that is too small is shown with a bound, never as 0',
  (column) => {
    const rows = [[0], [5e-324], [3e-308], [0.5]];
    expect(cells(previewTable({ columns: [column], rows }, ''))).toEqual([
      '&lt; 2.2e-308',
      '&lt; 2.2e-308',
      '3.000e-308',
      '0.5',
    ]);
  },
);

test('of a long table the ends are enough, and the rows between them are counted', () => {
  const rows = Array.from({ length: 40 }, (_, row) => [row]);
  const ends = [...rows.slice(0, 5), ...rows.slice(-5)];
  const whole = previewTable({ columns: ['n'], rows }, '');
  expect(whole).toContain('… 30 more rows …');
  expect(previewTable({ columns: ['n'], rows: ends }, '', 40)).toBe(whole);
});

test('in other columns 0 stays 0, and texts are escaped', () => {
  const table = { columns: ['scores', 'names'], rows: [[0, '<b>']] };
  expect(cells(previewTable(table, ''))).toEqual(['0', '&lt;b&gt;']);
});
