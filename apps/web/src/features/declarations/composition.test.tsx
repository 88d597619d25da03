import { composition } from '@cellfolio/analyses';
import type { AnalysisAnswer } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { AnalysisModule } from '@/features/analyses/index.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices } from '@/testing/fakes.ts';
import { moduleOf } from './module-of.tsx';

const module = moduleOf(composition);
const a = { name: 'treated', filter: { subset_group_name: 'Group' } };
const b = { name: 'control', filter: { subset_group_name: 'Group' } };

function Form({ dataset }: { dataset: Parameters<AnalysisModule['form']['isComplete']>[1] }) {
  const { Fields, defaults, isComplete } = module.form;
  const [form, setForm] = useState({ ...defaults, a: JSON.stringify(a) });
  return (
    <>
      <Fields
        analysis={dataset}
        form={form}
        runs={[]}
        onChange={(change) => setForm({ ...form, ...(change as typeof form) })}
      />
      <output>{isComplete(form, dataset) ? 'can run' : 'cannot run'}</output>
    </>
  );
}

function show(change: Parameters<typeof datasetAnalysis>[0] = {}) {
  const fake = fakeServices();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fake.services}>
        <Form dataset={datasetAnalysis(change)} />
      </ServicesContext>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

test('the form has a control for every field, in its order, with labels, defaults and hints', () => {
  show({ samples: { column: 'donor', reason: 'the column of patients' } });
  for (const name of [
    'A: the cells of interest: treated',
    'B: compared with: All other active cells',
    'Shares of: Cell types',
    'Samples: Donor (detected)',
  ]) {
    expect(screen.getByRole('button', { name })).toBeVisible();
  }
  expect(screen.getByText('Donor: the column of patients. Samples are the replicates.')).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Scale' })).toHaveTextContent('Log odds of shares');
  expect(screen.getByText('Finds more if each category has cells in most samples.')).toBeVisible();
  const design = within(screen.getByRole('group', { name: 'Design' }));
  expect(design.getByRole('button', { name: 'Add a covariate' })).toBeVisible();
  expect(design.getByRole('combobox', { name: 'Pairing' })).toHaveTextContent('Automatic');
  expect(design.getByRole('spinbutton', { name: 'Min. Cells per Sample' })).toHaveValue(10);
  const limit = screen.getByRole('spinbutton', { name: 'Adjusted P-Value' });
  expect(limit).toHaveValue(0.05);
  expect(
    screen.getByRole('group', { name: 'Design' }).compareDocumentPosition(limit) &
      Node.DOCUMENT_POSITION_FOLLOWING,
  ).toBeTruthy();
  expect(screen.getByText('can run')).toBeVisible();
});

test('a number that the server would refuse is reported, and without samples nothing runs', () => {
  show({ samples: undefined });
  expect(screen.getByText(/^Choose the column of samples/)).toBeVisible();
  expect(screen.getByText('cannot run')).toBeVisible();
  const limit = screen.getByRole('spinbutton', { name: 'Adjusted P-Value' });
  fireEvent.change(limit, { target: { value: '2' } });
  expect(screen.getByRole('alert')).toHaveTextContent('From 0 to 1.');
});

test('a run is described by its sides, column and scale, and its result by its test', () => {
  const request = { a, b, by: 'cell_state', transform: 'asin' };
  expect(module.startedText?.(request)).toBe(
    'Computing the composition of treated against control, shares of Cell State',
  );
  expect(module.requestLine({ a }, 'all 700 cells')).toBe(
    'Composition of treated against all other active cells, all 700 cells: Log odds of shares',
  );
  expect(module.requestLine(request, 'mine')).toContain(': Arcsine roots of shares');
  expect(module.read(answer as never).summary('all cells')).toBe(
    'Composition of treated against control, shares of Cell Type, all cells: moderated t-tests; differing: adjusted p < 0.1',
  );
});

const answer = {
  parameters: composition.request.parse({ a, b, pvals_adj: 0.1 }),
  by: 'cell_type',
  test: 'moderated t-tests',
  a: { name: 'treated', cells: 936 },
  b: { name: 'control', cells: 709 },
  warnings: [],
  facts: [
    { code: 'a', title: 'A', message: 'treated, 5 samples, 936 cells' },
    { code: 'b', title: 'B', message: 'control, 5 samples, 709 cells' },
    { code: 'differing', title: 'Differing', message: '1 of 5 categories, adjusted p < 0.1' },
    { code: 'left-out', title: 'Left out', message: 'D6 (A: 8 cells, too few)' },
  ],
} as unknown as AnalysisAnswer<typeof composition>;

test('a result says its sides and what differs in a line, and how it was made when that is opened', async () => {
  const Facts = module.Facts!;
  render(<Facts answer={answer} onRun={() => {}} />);
  const line =
    'A: treated, 5 samples, 936 cells · B: control, 5 samples, 709 cells · Differing: 1 of 5 categories, adjusted p < 0.1';
  await userEvent.click(screen.getByRole('button', { name: line }));
  expect(screen.getByText('D6 (A: 8 cells, too few)')).toBeVisible();
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Left out']);
});
