import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Toaster } from '@/components/ui/toaster.tsx';
import { ResultsDialog, RunAnalysisPanel, useAnalysisRuns } from '@/features/analyses/index.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { saveFile } from '@/lib/files.ts';
import { ServicesContext } from '@/lib/services.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { datasetAnalysis, fakeServices, json } from '@/testing/fakes.ts';
import { comparisonAnalysis } from './comparison-analysis.ts';
import { comparisonOfTypes } from './comparison.fixture.ts';

vi.mock('@/lib/files.ts', async (original) => ({ ...(await original<object>()), saveFile: vi.fn() }));

const path = '/api/perform-deg-analysis';
const choices = [comparisonAnalysis];
const onSendGenes = vi.fn();
let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  onSendGenes.mockReset();
  vi.mocked(saveFile).mockReset();
  // jsdom has no layout; the table draws the rows that its height shows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  Object.assign(Element.prototype, {
    hasPointerCapture: () => false,
    scrollIntoView: () => {},
    scrollTo: () => {},
  });
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }));
  fake.answer(path, () => json(comparisonOfTypes()));
  fake.answer('/api/cell-sets', () =>
    json({
      dataset_cells: 700,
      counts: [700, 400, 300],
      combinations: [
        { inside: [0, 1], count: 390 },
        { inside: [0, 2], count: 290 },
        { inside: [0, 1, 2], count: 10 },
      ],
    }),
  );
});

const analysis = datasetAnalysis({ samples: { column: 'donor', reason: 'the column of patients' } });
const set = (name: string) =>
  JSON.stringify({ name, filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name] } });

function Page() {
  const [draftKey] = useState(() => `u:${Math.random()}`);
  const runs = useAnalysisRuns({
    choices,
    draftKey,
    datasetName: 'd',
    title: 'D',
    version: '1',
    group: null,
    cells: 700,
    subsets: [],
  });
  return (
    <>
      <button
        type="button"
        onClick={() => runs.prepare(comparisonAnalysis, { a: set('B cell'), b: set('T cell') })}
      >
        prepare
      </button>
      <RunAnalysisPanel analysis={analysis} runs={runs} onReload={() => Promise.resolve(true)} />
      <ResultsDialog runs={runs} genesPerCall={50} onSendGenes={onSendGenes} />
      <Toaster theme="light" />
    </>
  );
}

async function run() {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fake.services}>
        <Page />
      </ServicesContext>
    </QueryClientProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'prepare' }));
  return user;
}

async function opened() {
  const user = await run();
  await user.click(screen.getByRole('button', { name: 'Run Analysis' }));
  return { user, dialog: await screen.findByRole('dialog', { name: 'DEG Analysis' }) };
}

test('the form says how many cells are on each side, which are on both, and why samples matter', async () => {
  await run();
  expect(await screen.findByText(/400 cells in A, 300 cells in B/)).toBeInTheDocument();
  expect(screen.getByText(/10 cells are in both, and can be on one side only/)).toBeInTheDocument();
  expect(
    screen.getByText(/Donor: the column of patients, .*Each cell is taken for a replicate/),
  ).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'A: the cells of interest: B cell' })).toBeInTheDocument();
});

test('a run begins with a notice, and ends with every gene in a table', async () => {
  const { dialog } = await opened();
  expect(fake.requests.find((request) => request.path === path)?.body).toMatchObject({
    a: { name: 'B cell' },
    b: { name: 'T cell' },
    method: 'wilcoxon',
  });
  expect(within(dialog).getByRole('tab', { name: 'Full Table (4)' })).toBeInTheDocument();
  expect(within(dialog).getByText(/B cell, 400 cells/)).toBeInTheDocument();
  expect(within(dialog).getByText('4 tests were made.')).toBeInTheDocument();
});

test('the table is narrowed to one direction, by p-value and by fold change, and so is the file', async () => {
  const { user, dialog } = await opened();
  await user.click(within(dialog).getByRole('tab', { name: /Full Table/ }));
  const genes = () =>
    within(dialog)
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[0]?.textContent);
  expect(genes()).toEqual(['CD79A', 'CD3D', 'ACTB', 'SCALED']);
  fireEvent.change(within(dialog).getByLabelText('Adjusted p-value below'), { target: { value: '0.05' } });
  expect(genes()).toEqual(['CD79A', 'CD3D', 'ACTB']);
  fireEvent.change(within(dialog).getByLabelText(/^Log2 fold change at least/), { target: { value: '1' } });
  expect(genes()).toEqual(['CD79A', 'CD3D']);
  await user.click(within(dialog).getByRole('combobox', { name: 'Direction' }));
  await user.click(await screen.findByRole('option', { name: 'Higher in B' }));
  expect(genes()).toEqual(['CD3D']);
  await user.click(within(dialog).getByRole('button', { name: /^Download CSV/ }));
  const [file, name] = vi.mocked(saveFile).mock.calls[0]!;
  expect(name).toMatch(/^deg_analysis_higher.*\.csv$/);
  const csv = await file.text();
  expect(csv).toContain('# Only higher in B, adjusted p < 0.05, |log2 fold change| ≥ 1 (1 row) of all genes');
  expect(csv.split('\n').filter((line) => /^[A-Z]/.test(line))).toHaveLength(1);
});

test('arrow keys go through the genes of the volcano plot, and Enter draws one on the cells', async () => {
  const { user, dialog } = await opened();
  await user.click(within(dialog).getByRole('tab', { name: 'Volcano Plot' }));
  const volcano = within(dialog).getByRole('group', { name: /^Volcano plot of B cell against T cell/ });
  volcano.focus();
  await user.keyboard('{ArrowRight}');
  expect(within(dialog).getByText('CD79A: log2 fold change 3.00, adjusted p 1.0e−19')).toBeInTheDocument();
  await user.keyboard('{ArrowLeft}');
  expect(within(dialog).getByText(/^ACTB: log2 fold change 0\.50/)).toBeInTheDocument();
  await user.keyboard('{Enter}');
  expect(onSendGenes).toHaveBeenCalledWith(['ACTB']);
});
