import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { processedRecord } from '@/testing/own-jobs.ts';
import { ProcessingFacts } from './processing-facts.tsx';

test.each([
  [{ minimumCounts: 0, minimumGenes: 0 }, 'no threshold', 'd1: 10 of 10 kept, no threshold'],
  [
    { minimumCounts: 0, minimumGenes: 50, maximumMitochondrial: 1 },
    '50 genes',
    'd1: 10 of 10 kept, need 50 genes',
  ],
])('of the thresholds %o Details tells only what some cell may not have', (thresholds, need, of) => {
  const removed = { all: 0, noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };
  const groups = ['d1', 'd2'].map((sample) => ({ sample, cells: 10, removed, thresholds, pooled: false }));
  const quality = {
    deviations: 5,
    sampleColumn: 'donor',
    mitochondrialGenes: 13,
    ribosomalGenes: 0,
    haemoglobinGenes: 0,
    removed,
    groups,
    cautions: [],
  };
  render(<ProcessingFacts record={{ ...processedRecord, thresholds, quality }} />);
  expect(screen.getByText('Cells need').nextElementSibling).toHaveTextContent(need);
  expect(screen.getByText(of)).toBeVisible();
  expect(screen.getByText('Outlier limit').nextElementSibling).toHaveTextContent(
    '5 median absolute deviations (× 1.4826), of log counts and log genes',
  );
});

test('an approximate search of neighbours says how many it found, an exact one nothing', () => {
  const record = { ...processedRecord, neighbours: 15, cellsKept: 25_806 };
  const { rerender } = render(<ProcessingFacts record={record} />);
  expect(screen.getByText('Neighbours').nextElementSibling).toHaveTextContent(/^15$/);
  rerender(<ProcessingFacts record={{ ...record, neighbourRecall: { cells: 500, share: 0.9931 } }} />);
  expect(screen.getByText('Neighbours').nextElementSibling).toHaveTextContent(
    '15; neighbours of 25,806 cells were searched approximately: 99.3 % of those of 500 cells are the nearest',
  );
});
