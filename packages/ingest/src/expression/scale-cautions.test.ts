import { expect, test } from 'vitest';
import type { Candidate } from './candidates.ts';
import { evidenceText } from './scale-cautions.ts';

test('where no scale stands out, the evidence names what the right one would show', () => {
  const tests = [{ scale: 'log1p', total: 1, spread: 0.4, multiples: 0.5, counts: NaN }];
  const open = { content: 'unknown', statistics: { maximum: 5 }, evidence: { tests } };
  expect(evidenceText(open as unknown as Candidate)).toMatch(
    / On the right scale nearly all values are multiples, or all totals are equal\.$/,
  );
});
