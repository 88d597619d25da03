import { expect, test } from 'vitest';
import { cutWords } from './serve.ts';

test('a column of numbers says how it was cut: by quantiles, or at which edges', () => {
  expect(cutWords(undefined)).toBe('');
  expect(cutWords({ by: 'quantiles', parts: 4 })).toBe(' (quartiles)');
  expect(cutWords({ by: 'edges', edges: [800, 1200.5] })).toBe(' (cut at 800, 1200.5)');
  expect(cutWords({ by: 'edges', edges: [1, 2, 3, 4, 5, 6] })).toBe(' (cut at 1, 2, 3, 4, 5 and more)');
});
