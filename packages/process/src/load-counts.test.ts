import { expect, test } from 'vitest';
import { CountsLoader } from './load-counts.ts';

// What is refused is refused before the library sees it, so none is started here.
const block = { pointers: [0, 2], indices: Int32Array.of(0, 3), counts: [1, 2] };
const loader = () => new CountsLoader({ cellCount: 1, geneCount: 4, by: 'cell' });

test.each([
  ['a negative value', { ...block, counts: [1, -2] }, 'not-counts', 'Cell 1 holds -2, which is not a count'],
  ['a fraction', { ...block, counts: [1, 0.5] }, 'not-counts', 'Cell 1 holds 0.5'],
  ['a missing number', { ...block, counts: [1, NaN] }, 'not-counts', 'Cell 1 holds NaN'],
  ['a number past 32 bits', { ...block, counts: [1, 2 ** 31] }, 'not-counts', 'Cell 1 holds 2147483648'],
  ['a gene too far', { ...block, indices: Int32Array.of(0, 4) }, 'malformed-counts', 'position 4'],
  ['a gene below the first', { ...block, indices: Int32Array.of(-1, 3) }, 'malformed-counts', 'position -1'],
  ['a gene twice', { ...block, indices: Int32Array.of(3, 3) }, 'malformed-counts', 'out of order'],
  ['a short block', { ...block, counts: [1] }, 'malformed-counts', 'does not fit its own pointers'],
  ['more cells than declared', { ...block, pointers: [0, 1, 2] }, 'malformed-counts', 'the declared 1 cells'],
])('%s is refused by name', (_, bad, code, text) => {
  expect(() => loader().add(bad)).toThrow(
    expect.objectContaining({ name: 'ProcessError', code, message: expect.stringContaining(text) as string }),
  );
});

test('blocks that are missing are noticed', () => {
  expect(() => loader().finish()).toThrow('Counts of 0 cells came where 1 were declared.');
});
