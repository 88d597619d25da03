import { expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { cutWords, refuseOversize } from './serve.ts';

test('a column of numbers says how it was cut: by quantiles, or at which edges', () => {
  expect(cutWords(undefined)).toBe('');
  expect(cutWords({ by: 'quantiles', parts: 4 })).toBe(' (quartiles)');
  expect(cutWords({ by: 'edges', edges: [800, 1200.5] })).toBe(' (cut at 800, 1200.5)');
  expect(cutWords({ by: 'edges', edges: [1, 2, 3, 4, 5, 6] })).toBe(' (cut at 1, 2, 3, 4, 5 and more)');
});

test('a table of more than a million rows is refused before it is made, by the number of genes of a group', () => {
  const groups = (rows: number) => Array.from({ length: 2000 }, () => ({ rows: new Int32Array(rows) }));
  const refuse = (code: string, message: string) => {
    throw new Error(`${code}: ${message}`);
  };
  const check = (rows: number) => () =>
    refuseOversize({ groups: groups(rows) } as never, { n_genes: rows }, { refuse } as Pick<
      Context,
      'refuse'
    >);
  expect(check(500)).not.toThrow();
  expect(check(501)).toThrow(
    'result_too_large: The table of markers would have 1,002,000 rows, of at most 1,000,000. Choose fewer genes per group than 501',
  );
});
