import { csvComments } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { csvFloat32, toCsv } from './result-csv.ts';

const cell = (text: string) => toCsv({ columns: ['name'], rows: [[text]] }).slice('name\n'.length, -1);

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
  'the text %j is no formula to a spreadsheet',
  (text) => {
    expect(cell(text)).toBe(`'${text}`);
  },
);

test.each([
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['a"b,c\nd', '"a""b,c\nd"'],
  ['<b>', '<b>'],
  ["it's", "it's"],
])('the text %j stays in its cell', (text, expected) => {
  expect(cell(text)).toBe(expected);
});

test('a negative number is not escaped as a formula', () => {
  expect(toCsv({ columns: ['=a'], rows: [[-1.5]] })).toBe("'=a\n-1.5\n");
});

test('facts and warnings are comments above the table, one line each, warnings by rank, and no cell starts a comment', () => {
  const text = toCsv({ columns: ['name'], rows: [['# not a comment']] }, [
    { code: 'few-cells', message: 'Two cells,\nno more.' },
    { code: 'multiple-testing', message: 'One test.' },
    { code: 'few-samples', message: 'One sample.' },
  ]);
  expect(text).toBe('# Tests: One test.\n# One sample.\n# Two cells, no more.\nname\n"# not a comment"\n');
});

test('p-values of 0 stay numbers, and a comment explains them', () => {
  const columns = ['names', 'pvals', 'pvals_adj', 'scores'];
  const text = toCsv({ columns, rows: [['A', 0, 0, 0] as const, ['B', 1e-310, 0.5, 0] as const] });
  expect(text.split('\n').slice(0, 3)).toEqual([
    '# A p-value that is written as 0 is below 2.2e-308, too small for a number.',
    'names,pvals,pvals_adj,scores',
    'A,0,0,0',
  ]);
  expect(toCsv({ columns: ['P-value'], rows: [[0.1]] })).toBe('P-value\n0.1\n');
  const cautions = [{ code: 'p-values-at-bound', message: '1 is too small.' }] as const;
  expect(toCsv({ columns: ['pvals'], rows: [[0]] }, cautions)).toBe(
    '# Smallest p: 1 is too small.\npvals\n0\n',
  );
});

test('no part of a comment that a spreadsheet splits off is a formula', () => {
  expect(csvComments(['Name,=1+1; @x, -5\t+2', 'below -3, or = 4'])).toBe(
    "# Name,'=1+1; '@x, '-5\t'+2\n# below -3, or = 4\n",
  );
});

test.each([
  [0, '0'],
  [0.1, '0.1'],
  [-1.5, '-1.5'],
  [Math.log1p(3), '1.3862944'],
  [16_777_216, '16777216'],
  [1e-6, '0.000001'],
  [99_999.99, '99999.99'],
  [3.4028234663852886e38, '3.4028235e+38'],
  [1.401298464324817e-45, '1e-45'],
  [NaN, ''],
])('the float32 %d is written as %j', (value, text) => {
  expect(csvFloat32(Math.fround(value))).toBe(text);
});

test('every float32 reads back as the same value', () => {
  let state = 7;
  const bits = Uint32Array.from({ length: 20_000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  });
  const values = new Float32Array(bits.buffer).filter(Number.isFinite);
  expect(values.map((value) => Number(csvFloat32(value)))).toEqual(values);
});
