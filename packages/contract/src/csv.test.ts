import { expect, test } from 'vitest';
import { csvComments, csvJson } from './csv.ts';

test('JSON in a comment is read as it was, and no part of it that a spreadsheet splits off is a formula', () => {
  const value = {
    names: ['=1+1', 'a, -2+3', 'b;@x', 'c,=cmd', '-', 'CD14+ Monocyte', 'T-cell'],
    numbers: [1, -2, -0.5, -1e-9, 1e21, -3],
    '+key': { '=deep': '＝wide' },
    low: -4,
  };
  const line = csvComments([`Definition: ${csvJson(value)}`]);
  expect(JSON.parse(line.slice('# Definition: '.length))).toEqual(value);
  expect(line).toContain('CD14+ Monocyte');
  // A cell of a spreadsheet that begins with one of these is a formula, but for a number.
  const cells = line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"/, ''));
  expect(cells.filter((cell) => /^[=+@＝＋－＠]|^-(?![\d.e-]+[\]}]*$)/.test(cell))).toEqual([]);
});
