import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { processedRecord } from '@/testing/own-jobs.ts';
import { ProcessingFacts } from './processing-facts.tsx';
import { SampleSteps } from './sample-steps.tsx';

test('the least recall is reported for samples whose doublets were searched approximately, and for no others', () => {
  const recordOf = (shares: readonly (number | undefined)[]) => ({
    ...processedRecord,
    samples: {
      files: shares.map((_, at) => ({ sample: `S${at}`, file: `s${at}.h5ad`, cells: 5000, genes: 100 })),
      doublets: {
        action: 'removed' as const,
        called: 0,
        groups: shares.map((share, at) => ({
          sample: `S${at}`,
          cells: 5000,
          called: 0,
          ...(share !== undefined && { neighbourRecall: { cells: 500, share } }),
        })),
      },
      clusterings: [],
    },
  });
  const { rerender } = render(<SampleSteps record={recordOf([undefined, undefined])} />);
  expect(screen.queryByText(/^For doublets/)).toBeNull();
  rerender(<SampleSteps record={recordOf([undefined, 0.9861])} />);
  expect(screen.getByText(/^For doublets/)).toHaveTextContent(
    'For doublets, neighbors of S1 were searched approximately: 98.6 % are the true nearest, checked on 500 cells.',
  );
  rerender(<SampleSteps record={recordOf([0.9912, undefined, 0.9861])} />);
  expect(screen.getByText(/^For doublets/)).toHaveTextContent(
    'For doublets, neighbors of 2 samples were searched approximately: at least 98.6 % are the true nearest, checked on 500 cells of each.',
  );
});

test('what quality control and doublets took of each sample adds up to what is kept', () => {
  const removed = { noCounts: 0, counts: 0, genes: 0, mitochondrial: 0, several: 0 };
  const thresholds = { minimumCounts: 8, minimumGenes: 9 };
  const record = {
    ...processedRecord,
    cellsBefore: 300,
    cellsKept: 261,
    quality: {
      mitochondrialGenes: 0,
      ribosomalGenes: 0,
      haemoglobinGenes: 0,
      removed: { ...removed, all: 30 },
      groups: [
        { sample: 'S0', cells: 100, removed: { ...removed, all: 10 }, thresholds, pooled: false },
        { sample: 'S1', cells: 200, removed: { ...removed, all: 20 }, thresholds, pooled: false },
      ],
      cautions: [],
    },
    samples: {
      files: [
        { sample: 'S0', file: 's0.h5ad', cells: 100, genes: 10 },
        { sample: 'S1', file: 's1.h5ad', cells: 200, genes: 10 },
      ],
      doublets: {
        action: 'removed' as 'removed' | 'marked',
        called: 9,
        groups: [
          { sample: 'S0', cells: 90, called: 4 },
          { sample: 'S1', cells: 180, called: 5 },
        ],
      },
      clusterings: [],
    },
  };
  const rowOf = (name: string) =>
    within(screen.getByRole('rowheader', { name }).closest('tr')!)
      .getAllByRole('cell')
      .map((cell) => cell.textContent);
  const { rerender } = render(<SampleSteps record={record} />);
  expect(rowOf('S0')).toEqual(['100', '−10', '−4', '86']);
  expect(rowOf('S1')).toEqual(['200', '−20', '−5', '175']);
  expect(rowOf('All samples')).toEqual(['300', '−30', '−9', '261']);
  // One threshold for all cells.
  const groups = [{ ...record.quality.groups[0]!, sample: undefined, cells: 300 }];
  const { sample: _, ...all } = groups[0]!;
  rerender(<SampleSteps record={{ ...record, quality: { ...record.quality, groups: [all] } }} />);
  expect(rowOf('All samples')).toEqual(['300', '−30', '−9', '261']);
  // Marked ones stay.
  const marked = { ...record.samples.doublets, action: 'marked' as const };
  const { samples } = record;
  rerender(<SampleSteps record={{ ...record, cellsKept: 270, samples: { ...samples, doublets: marked } }} />);
  expect(rowOf('S0')).toEqual(['100', '−10', '4', '90']);
  expect(rowOf('All samples')).toEqual(['300', '−30', '9', '270']);
  // Nobody knows of which sample the others went.
  rerender(<SampleSteps record={{ ...record, cellsKept: 250 }} />);
  expect(rowOf('S0')).toEqual(['100', '−4']);
});

test('the effect of integration on samples and clusters is not repeated beside the facts', () => {
  const integration = {
    method: 'harmony' as const,
    clusters: 8,
    iterations: 2,
    converged: true,
    objectives: [],
    mixingBefore: { neighbours: 14, effectiveSamples: 2.05, expectedSamples: 2.98 },
    keptBefore: 0.676,
    keptAfter: 0.705,
    merged: [],
  };
  const record = {
    ...processedRecord,
    mixing: { neighbours: 14, effectiveSamples: 2.51, expectedSamples: 2.98, column: 'sample' },
    samples: { batchColumn: 'sample', integration, clusterings: [] },
  };
  render(
    <>
      <ProcessingFacts record={record} />
      <SampleSteps record={record} />
    </>,
  );
  expect(screen.getByText('Sample mixing').nextElementSibling).toHaveTextContent(
    'Effective number of samples among the 14 nearest neighbors of a cell (inverse Simpson index, as LISI): 2.05 before integration, 2.51 after; 2.98 if samples were fully mixed, 1 if fully apart.',
  );
  expect(screen.getByText('Clusters kept apart').nextElementSibling).toHaveTextContent(
    'Of the neighbors of a cell in its own sample, 67.6 % were of its own cluster before integration and 70.5 % are after; 100 % if clusters were fully apart. Clusters are those before integration at resolution 1: compare runs of the same resolution alone.',
  );
  expect(screen.getByText(/^Harmony took differences/)).toBeVisible();
  expect(screen.getAllByText(/neighbors? of a cell/)).toHaveLength(2);
});
