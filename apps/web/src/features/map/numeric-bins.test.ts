import { expect, test } from 'vitest';
import { quartiles, readBins, readChosenBins } from './numeric-bins.ts';

test('quartiles are the default', () => {
  expect(readBins(quartiles)).toEqual({});
});

test.each([
  ['2', 2],
  [' 20 ', 20],
])('%j quantiles are requested', (parts, count) => {
  expect(readBins({ ...quartiles, by: 'quantiles', parts })).toEqual({
    bins: { by: 'quantiles', parts: count },
  });
});

test.each(['', '1', '21', '2.5', 'many', '-3'])('%j is no number of quantiles', (parts) => {
  expect(readBins({ ...quartiles, by: 'quantiles', parts })).toEqual({
    problem: 'Enter a whole number of quantiles from 2 to 20.',
  });
});

test.each([
  ['10', [10]],
  ['-1.5, 0;1e3', [-1.5, 0, 1000]],
  ['1 2  3,', [1, 2, 3]],
])('the edges %j are requested', (edges, numbers) => {
  expect(readBins({ ...quartiles, by: 'edges', edges })).toEqual({ bins: { by: 'edges', edges: numbers } });
});

test.each([
  ['', 'Enter the edges'],
  ['1, two, 3', '“two” is not a number'],
  ['1, Infinity', '“Infinity” is not a number'],
  ['3, 2', '2 is not above 3'],
  ['2, 2', '2 is not above 2'],
  [Array.from({ length: 20 }, (_, i) => i).join(), 'At most 19 edges; there are 20'],
])('the edges %j are refused in words', (edges, words) => {
  const read = readBins({ ...quartiles, by: 'edges', edges });
  expect('problem' in read && read.problem).toContain(words);
});

test('only what the panel kept is read', () => {
  expect(readChosenBins(quartiles)).toEqual(quartiles);
  for (const stored of [null, 'edges', { by: 'thirds', parts: '', edges: '' }, { by: 'edges' }])
    expect(readChosenBins(stored)).toBeUndefined();
});
