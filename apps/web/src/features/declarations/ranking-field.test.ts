import { expect, test } from 'vitest';
import { readRanking } from './ranking-field.tsx';

test.each([
  ['tabs', 'CD3D\t4.2\nMS4A1\t-3.1\n'],
  ['commas', 'CD3D,4.2\nMS4A1,-3.1'],
  ['semicolons and decimal commas', 'CD3D;4,2\r\nMS4A1;-3,1'],
  ['blanks', 'CD3D   4.2\nMS4A1 −3.1'],
  [
    'a heading, comments, quotes and empty lines',
    '# from R\n"gene","stat"\n\n"CD3D","4.2"\n"MS4A1","-3.1"\n',
  ],
])('two columns parted by %s are read', (_what, text) => {
  expect(readRanking(text)).toEqual({ genes: ['CD3D', 'MS4A1'], values: [4.2, -3.1] });
});

test('a line without a number keeps its gene', () => {
  expect(readRanking('A\t1\nB\tNA\nC\t\nD\tNaN\nE\t2')).toEqual({
    genes: ['A', 'B', 'C', 'D', 'E'],
    values: [1, null, null, null, 2],
  });
});

test.each([
  ['A\t1\nB\tx\nC\t3', 'Line 2: “x” is not a number.'],
  ['A\t1\nB\tInfinity', 'Line 2: “Infinity” is not a number.'],
  ['A\t1\nB', 'Line 2 has no number after the gene.'],
  ['A\t1\t2', 'Line 1 has 3 columns: keep only the gene and its number.'],
  ['A\t1\n\t2', 'Line 2 has no gene.'],
  ['A\t1', 'A ranking needs at least two genes with a number.'],
  ['', 'A ranking needs at least two genes with a number.'],
  [
    Array.from({ length: 60_001 }, (_, i) => `G${i}\t${i}`).join('\n'),
    'A ranking can have at most 60,000 lines.',
  ],
])('what is no ranking says the line: %#', (text, problem) => {
  expect(readRanking(text).problem).toBe(problem);
});
