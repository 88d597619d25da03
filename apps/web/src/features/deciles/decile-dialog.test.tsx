import type { DecileAnswer } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { comparisonOfTypes } from '@/features/comparisons/comparison.fixture.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { fakeServices } from '@/testing/fakes.ts';
import { decileAnalysis } from './decile-analysis.tsx';
import { DecileFacts } from './decile-facts.tsx';

const compared = comparisonOfTypes({ pseudobulk_offered: true });
const ends = { by: { of: 'gene' as const, gene: 'CD8A' }, share: 10 };
const parameters = { ...compared.parameters, ends, samples: 'donor' };
const sample = { name: 'P1', cells: 100, high: 10, low: 60, high_from: 2.5, low_to: 0 };
const answer: DecileAnswer = {
  ...compared,
  parameters,
  source: { dataset_filename: 'd', content: { kind: 'volcano', ...parameters } },
  ends: {
    ranked_by: 'the expression of CD8A',
    share: 10,
    high: { cells: 10, share: 0.1, tied: 0 },
    low: { cells: 60, share: 0.6, tied: 60 },
    without_value: 0,
    without_sample: 3,
    samples: [sample],
    left_out: [{ ...sample, name: 'P2', high: 4, high_from: null, reason: 'few-cells' }],
    composition: {
      column: 'cell_type',
      distance: 0.75,
      unlabelled: { high: 0, low: 0 },
      groups: [{ name: 'T cell', high: 9, low: 9, share_high: 0.9, share_low: 0.15 }],
    },
    untested: ['CD8A'],
  },
};

test('facts name the ends of each sample, their composition, and the genes that chose the cells', async () => {
  const user = userEvent.setup();
  const onRun = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fakeServices().services}>
        <DecileFacts answer={answer} onRun={onRun} />
      </ServicesContext>
    </QueryClientProvider>,
  );
  await user.click(
    screen.getByRole('button', {
      name: 'Ends: ranked by the expression of CD8A within 1 sample · highest 10 (10.0 %), lowest 60 (60.0 %) · composition differs by 75.0 %',
    }),
  );
  const samples = screen.getByRole('table', { name: 'Ends of each Donor' });
  expect(within(samples).getByRole('row', { name: 'P1 100 10 2.5 60 0 yes' })).toBeVisible();
  expect(within(samples).getByRole('row', { name: 'P2 100 4 – 60 0 left out: too few cells' })).toBeVisible();
  const types = screen.getByRole('table', { name: 'Both ends by Cell Type' });
  expect(within(types).getByRole('row', { name: 'T cell 9 (90.0 %) 9 (15.0 %)' })).toBeVisible();
  expect(screen.getByText('CD8A: it chose the cells')).toBeVisible();
  // Samples instead of cells: the same ends, under the call of this analysis.
  await user.click(screen.getByRole('button', { name: 'Run pseudobulk instead' }));
  expect(onRun).toHaveBeenCalledExactlyOnceWith({
    ...ends,
    method: 'pseudobulk',
    samples: 'donor',
    min_sample_cells: 10,
    pvals_adj: 0.05,
    logfoldchanges: 1,
  });
});

test('figures of the ends are named after the figure of their genes', () => {
  const sources = decileAnalysis.furtherFigures!.map(({ sourceOf }) => sourceOf(answer.source!, answer)!);
  expect(sources.map(({ content }) => content)).toEqual([
    { kind: 'end-distribution', ...ends, samples: 'donor', min_sample_cells: 10 },
    { kind: 'end-composition', ...ends, samples: 'donor', min_sample_cells: 10 },
  ]);
});
