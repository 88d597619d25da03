import { expect, test } from 'vitest';
import { qualityLines } from './quality-record.ts';

const removed = { all: 0, noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };

test.each([
  [{ minimumCounts: 1000, minimumGenes: 200 }, 'at least 1,000 counts and 200 genes'],
  [
    { minimumCounts: 0, minimumGenes: 200, maximumMitochondrial: 0.08 },
    'at least 200 genes, at most 8.0 % mito',
  ],
  [{ minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 0.08 }, 'at most 8.0 % mitochondrial'],
  [{ minimumCounts: 0, minimumGenes: 0 }, 'no threshold'],
])('the log tells of %o what some cell may not have', (thresholds, told) => {
  const groups = [{ sample: undefined, cells: 10, removed, thresholds, pooled: false }];
  const [line] = qualityLines({ removed, groups, sampleColumn: undefined, cautions: [] });
  expect(line).toContain(`10 of 10 cells passed quality control: ${told}`);
});
