import { deciles } from '@cellfolio/analyses';
import { analysisCall, type ComparisonAnswer } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { comparisonOfTypes } from '@/features/comparisons/comparison.fixture.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices } from '@/testing/fakes.ts';
import { moduleOf } from './module-of.tsx';

const module = moduleOf(deciles);
const compared = comparisonOfTypes({ pseudobulk_offered: true });
const ends = { by: { of: 'gene' as const, gene: 'CD8A' }, share: 10 };
const parameters = { ...compared.parameters, ends, samples: 'donor' };
const sample = { name: 'P1', cells: 100, high: 10, low: 60, high_from: 2.5, low_to: 0 };
const answer = {
  ...compared,
  parameters,
  source: { dataset_filename: 'd', content: { kind: 'volcano' as const, ...parameters } },
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
} satisfies ComparisonAnswer & { ends: unknown };
const Facts = module.Facts!;

test('facts tell the ends of each sample, what they are made of, and which genes chose the cells', async () => {
  const user = userEvent.setup();
  const onRun = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fakeServices().services}>
        <Facts answer={answer} onRun={onRun} />
      </ServicesContext>
    </QueryClientProvider>,
  );
  await user.click(
    screen.getByRole('button', {
      name: 'Ends: ranked by the expression of CD8A within 1 sample · highest 10 (10.0 %), lowest 60 (60.0 %) · composition differs by 75.0 %',
    }),
  );
  const titles = ['Cells', 'Not ranked', 'Not tested', 'Samples', 'Composition'];
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(titles);
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
  const sources = module.furtherFigures!.map(({ sourceOf }) => sourceOf(answer.source, answer)!);
  expect(sources.map(({ content }) => content)).toEqual([
    { kind: 'end-distribution', ...ends, samples: 'donor', min_sample_cells: 10 },
    { kind: 'end-composition', ...ends, samples: 'donor', min_sample_cells: 10 },
  ]);
});

const { defaults, isComplete, requestOf } = module.form;
const samples = { column: 'donor', reason: 'the column of patients' };
const dataset = datasetAnalysis({ samples, raw_counts: true });
const formOf = (chosen: string, texts: object = {}, change: object = {}) => ({
  ...defaults,
  by: chosen,
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`by.${chosen}.${name}`, text])),
  ...change,
});
const gene = { of: 'gene', gene: 'CD8A' };
const byGene = (change: object = {}) => formOf('gene', { gene: 'CD8A' }, change);

test('a form without what cells are ranked by is not complete, whatever it is', () => {
  expect(isComplete(defaults, dataset)).toBe(false);
  for (const of of ['gene', 'signature', 'cell-state', 'column']) {
    expect(isComplete(formOf(of, { genes: '[]' }), dataset)).toBe(false);
  }
});

test.each([
  [byGene(), gene],
  [
    formOf('signature', { score_name: 'Killing', genes: '["CD8A","GZMB"]' }),
    { of: 'signature', score_name: 'Killing', genes: ['CD8A', 'GZMB'] },
  ],
  [
    formOf('cell-state', { cell_state: 'HYPOXIA' }),
    { of: 'cell-state', cell_state: 'HYPOXIA', minimum_genes: 3 },
  ],
  [formOf('column', { column: 'n_genes' }), { of: 'column', column: 'n_genes' }],
])('the request of %j has the fields of the API', (form, by) => {
  expect(isComplete(form, dataset)).toBe(true);
  const request = requestOf(form, dataset);
  expect(request).toMatchObject({ by });
  expect(analysisCall(deciles).request.parse(request)).toMatchObject({
    by,
    share: 10,
    method: 'pseudobulk',
    min_sample_cells: 10,
    pvals_adj: 0.05,
    logfoldchanges: 1,
  });
});

test('without samples or raw counts cells are tested, and pseudobulk that was chosen cannot run', () => {
  const form = byGene();
  for (const other of [datasetAnalysis({ raw_counts: true }), datasetAnalysis({ samples })]) {
    expect(requestOf(form, other)).toMatchObject({ method: 'wilcoxon' });
    expect(isComplete(form, other)).toBe(true);
    expect(isComplete({ ...form, method: 'pseudobulk' }, other)).toBe(false);
  }
});

test.each([
  ['share', '51'],
  ['share', '0'],
  ['min_sample_cells', '0'],
  ['pvals_adj', '2'],
])('%s of %s is not complete', (field, value) => {
  expect(isComplete(byGene({ [field]: value }), dataset)).toBe(false);
});

test('another kind to rank by keeps what was chosen of the first', async () => {
  const user = userEvent.setup();
  const { Fields } = module.form;
  function Form() {
    const [form, setForm] = useState(formOf('column', { column: 'n_genes' }));
    const change = (next: object) => setForm({ ...form, ...next });
    return (
      <>
        <Fields analysis={dataset} form={form} runs={[]} onChange={change} />
        <output>{JSON.stringify(requestOf(form, dataset))}</output>
      </>
    );
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fakeServices().services}>
        <Form />
      </ServicesContext>
    </QueryClientProvider>,
  );
  const choose = async (kind: string) => {
    await user.click(screen.getByRole('combobox', { name: 'Rank Cells By' }));
    await user.click(await screen.findByRole('option', { name: kind }));
  };
  expect(screen.getByText(/^Active cells are ranked within each sample \(Donor\)/)).toBeVisible();
  await choose('The score of a signature');
  await user.type(screen.getByRole('textbox', { name: /^Signature Name/ }), ' Killing ');
  await choose('A column of numbers');
  expect(screen.getByRole('status')).toHaveTextContent('"by":{"of":"column","column":"n_genes"}');
  await choose('The score of a signature');
  expect(screen.getByRole('textbox', { name: /^Signature Name/ })).toHaveValue('Killing');
});
