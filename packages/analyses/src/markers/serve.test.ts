import { expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { cutWords, refuseOversize } from './serve.ts';

test('a column of numbers says how it was cut: by quantiles, or at which edges', () => {
  expect(cutWords(undefined)).toBe('');
  expect(cutWords({ by: 'quantiles', parts: 4 })).toBe(' (quartiles)');
  expect(cutWords({ by: 'edges', edges: [800, 1200.5] })).toBe(' (cut at 800, 1200.5)');
  expect(cutWords({ by: 'edges', edges: [1, 2, 3, 4, 5, 6] })).toBe(' (cut at 1, 2, 3, 4, 5 and more)');
});

test('a table of markers that no answer holds is refused before it is written', () => {
  const groups = (rows: number) =>
    Array.from({ length: 100 }, () => ({ name: 'x'.repeat(500), rows: new Int32Array(rows) }));
  const refuse = (code: string) => {
    throw new Error(code);
  };
  const context = { dataset: { symbols: ['CD3E'] }, refuse } as unknown as Context;
  const check = (rows: number) => () => refuseOversize({ groups: groups(rows) } as never, context);
  expect(check(500)).not.toThrow();
  expect(check(2000)).toThrow('result_too_large');
});
