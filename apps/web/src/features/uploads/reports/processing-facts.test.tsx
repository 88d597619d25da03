import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { processedRecord } from '@/testing/own-jobs.ts';
import { ProcessingFacts } from './processing-facts.tsx';

test.each([
  [{ minimumCounts: 0, minimumGenes: 0 }, 'no threshold', 'd1: 10 of 10 pass quality control, no threshold'],
  [
    { minimumCounts: 0, minimumGenes: 50, maximumMitochondrial: 1 },
    '50 genes',
    'd1: 10 of 10 pass quality control, need 50 genes',
  ],
])('for the thresholds %o Details lists only those that some cell may fail', (thresholds, need, of) => {
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

test('cells removed by quality control, and doublets above a threshold, are reported separately', () => {
  const removed = { all: 352, noCounts: 16, counts: 336, genes: 0, mitochondrial: 0, several: 0 };
  const quality = {
    mitochondrialGenes: 13,
    ribosomalGenes: 0,
    haemoglobinGenes: 0,
    removed,
    groups: [],
    cautions: [],
  };
  const groups = [
    { sample: 'A', cells: 5000, called: 4, threshold: 0.343, detectable: 0.0022 },
    { sample: 'B', cells: 5000, called: 5, threshold: 0.303, detectable: 0.0038 },
    { sample: 'C', cells: 544, called: 0 },
  ];
  const recordOf = (doublets: object) => ({
    ...processedRecord,
    cellsBefore: 10_896,
    cellsKept: 10_535,
    quality,
    samples: { clusterings: [], doublets: { action: 'removed' as const, called: 9, groups, ...doublets } },
  });
  const valueOf = (name: string) => screen.getByText(name).nextElementSibling;
  const { rerender } = render(<ProcessingFacts record={recordOf({})} />);
  expect(valueOf('Cells kept')).toHaveTextContent(
    /^10,535 of 10,896; removed 352 by quality control, 9 as doublets$/,
  );
  expect(valueOf('Quality control')).toHaveTextContent('352 removed: 16 without counts, 336 by counts');
  expect(valueOf('Doublets')).toHaveTextContent(
    '9 of 10,544 called and removed (Scrublet within each sample); automatic threshold of each sample 0.303 to 0.343, exceeded by 0.2 % to 0.4 % of simulated doublets',
  );
  const set = groups.map((group) => ({ ...group, threshold: 0.2, detectable: 0.25 }));
  rerender(<ProcessingFacts record={recordOf({ action: 'marked', threshold: 0.2, groups: set })} />);
  expect(valueOf('Cells kept')).toHaveTextContent(/^10,535 of 10,896; removed 352 by quality control$/);
  expect(valueOf('Doublets')).toHaveTextContent(
    'called and marked (Scrublet within each sample); threshold set by hand 0.2, exceeded by 25 % of simulated doublets',
  );
  rerender(<ProcessingFacts record={recordOf({ groups: groups.slice(2) })} />);
  expect(valueOf('Doublets')).toHaveTextContent('no threshold was found');
});

test('an approximate search of neighbours says how many it found, an exact one nothing', () => {
  const record = { ...processedRecord, neighbours: 15, cellsKept: 25_806 };
  const { rerender } = render(<ProcessingFacts record={record} />);
  expect(screen.getByText('Neighbors').nextElementSibling).toHaveTextContent(/^15$/);
  rerender(<ProcessingFacts record={{ ...record, neighbourRecall: { cells: 500, share: 0.9931 } }} />);
  expect(screen.getByText('Neighbors').nextElementSibling).toHaveTextContent(
    '15; neighbors of 25,806 cells were searched approximately: 99.3 % are the true nearest, checked on 500 cells',
  );
});

test('the variance of each component is drawn, and the share of those that were taken is reported', () => {
  const varianceShares = [0.2, 0.05, ...Array.from({ length: 10 }, () => 0.01)];
  render(<ProcessingFacts record={{ ...processedRecord, components: 12, varianceShares }} />);
  expect(screen.getByText('Components').nextElementSibling).toHaveTextContent(
    '12, which explain 35 % of the variance of the variable genes (the first 10: 33 %)',
  );
  expect(
    screen.getByRole('img', { name: 'Variance of each of the 12 components taken: from 20 % to 1 %' }),
  ).toBeVisible();
});

test('for records without the variances only the number of components is shown', () => {
  render(<ProcessingFacts record={processedRecord} />);
  expect(screen.getByText('Components').nextElementSibling).toHaveTextContent(/^50$/);
  expect(screen.queryByRole('img')).toBeNull();
});
