import { expect, test } from 'vitest';
import { repeatedNames } from './detect-gene-names.ts';

const repeated = (names: readonly string[]) => repeatedNames(names.length, (at) => names[at]!);

test('names that come again are counted, and three of them named in their order', () => {
  expect(repeated([])).toEqual({ repeated: 0, examples: [] });
  expect(repeated(['a', 'b', ''])).toEqual({ repeated: 0, examples: [] });
  expect(repeated(['b', 'a', 'b', 'a', 'b', 'c', 'd', 'd', 'c'])).toEqual({
    repeated: 5,
    examples: ['b', 'a', 'd'],
  });
});

test('a hundred thousand barcodes that are alike but for a letter are distinguished', () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `AAACCTGAGAAACC-${at.toString(4)}-1`);
  expect(repeated(names).repeated).toBe(0);
  expect(repeated([...names, names[77_777]!])).toEqual({ repeated: 1, examples: [names[77_777]] });
});
