import { expect, test } from 'vitest';
import { combinationWords, emptyWords, setWords } from './set-words.ts';

const names = ['T cells', 'Treated', 'CD8A+'];
const all = [[], [0], [1], [0, 1], [1, 2], [0, 1, 2]];

test.each([
  [[[0], [1], [0, 1], [1, 2], [0, 1, 2]], 'T cells, Treated or CD8A+'],
  [[[0, 1, 2]], 'T cells, Treated and CD8A+'],
  [[[0], [0, 1], [0, 1, 2]], 'T cells'],
  [[[0], [1]], 'exactly one of T cells, Treated and CD8A+'],
  [[[]], 'none of T cells, Treated and CD8A+'],
  [
    [
      [0, 1],
      [0, 1, 2],
    ],
    'T cells and Treated',
  ],
  [[[0, 1]], 'T cells and Treated without CD8A+'],
  [[[0], [1, 2]], 'T cells without Treated and CD8A+; or Treated and CD8A+ without T cells'],
])('the cells of the combinations %j are %s', (combinations, words) => {
  expect(setWords(names, all, combinations)).toBe(words);
});

test('one combination says which sets its cells are in and which they are not', () => {
  expect(combinationWords(names.slice(0, 2), [1])).toBe('Treated without T cells');
});

test('where no cell is in all of the sets the text names the sets that share none', () => {
  const say = (counts: number[], combinations: number[][], choice: 'all' | 'any' | 'one' = 'all') =>
    emptyWords(names, { counts, all: combinations }, choice);
  expect(say([5, 3, 2], [[0], [1], [0, 2]])).toBe('0 cells in all: no cell is in both T cells and Treated.');
  expect(say([5, 3, 0], [[0], [1]])).toBe('0 cells in all: CD8A+ has no cells.');
  expect(
    say(
      [4, 4, 4],
      [
        [0, 1],
        [1, 2],
        [0, 2],
      ],
    ),
  ).toBe('0 cells in all: any two of the sets share cells, but no cell is in all 3.');
  expect(say([0, 0, 0], [[]], 'any')).toBe('0 cells in any: the sets have no cells.');
  expect(say([4, 4, 4], [[0, 1, 2]], 'one')).toMatch(/^0 cells in one only: /);
});
