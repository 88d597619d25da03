import { expect, test } from 'vitest';
import { rankedEnrichment } from './declare.ts';

const matched = (genes: number, ranked: number) =>
  rankedEnrichment.cautions['few-genes-matched']({ genes, ranked });

test('a short ranking has little power, and few matches are a matter of names', () => {
  expect(matched(54, 56)).toBe(
    '54 of 56 ranked genes are in any set of the library: a ranking of so few genes has little power. Rank all genes.',
  );
  expect(matched(20, 10_000)).toBe(
    'Only 20 of 10,000 ranked genes (0.2 %) are in any set of the library: check that names and species are the same.',
  );
  expect(matched(5, 56)).toContain('check that names and species are the same');
});
