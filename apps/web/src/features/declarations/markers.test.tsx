import { markers } from '@cellfolio/analyses';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices } from '@/testing/fakes.ts';
import type { FormTexts } from './form-values.ts';
import { obsColumn, ownColumn } from './group-columns.ts';
import { moduleOf } from './module-of.tsx';

const { form: module, ...page } = moduleOf(markers);
const { defaults, requestOf, isComplete } = module;
const analysis = datasetAnalysis({
  cell_types: ['B cell', 'T cell'],
  leiden_clusters: ['0', '1'],
  patient_metadata: { Treatment: ['drug', 'none'] },
});
const request = (texts: object) => requestOf({ ...defaults, ...texts }, analysis);
const sent = {
  groupby: 'cell_type',
  n_genes: 10,
  pvals_adj: 0.05,
  logfoldchanges: 0.25,
  min_cells: 3,
  unlabelled: 'reference',
  method: 'wilcoxon',
  depth: 'as-measured',
  tie_correct: true,
  pseudocount: 1,
  sparse_genes: 'exact',
  unassigned: 'groups',
};

test('the defaults are cell types, ten genes, p 0.05, log fold change 0.25 and three cells; what is no number is 0', () => {
  expect(request({})).toEqual(sent);
  expect(
    request({
      groupby: 'leiden',
      n_genes: '',
      pvals_adj: 'abc',
      logfoldchanges: '1e999',
      min_cells: '2.5',
      unlabelled: 'left-out',
    }),
  ).toEqual({
    ...sent,
    groupby: 'leiden',
    n_genes: 0,
    pvals_adj: 0,
    logfoldchanges: 0,
    min_cells: 2,
    unlabelled: 'left-out',
  });
});

test('the defaults of scanpy and equal depth are named beside the numbers', () => {
  const line = (texts: object) => page.requestLine(request(texts), 'all cells');
  expect(line({})).toBe(
    'By Cell type, all cells: at most 10 genes per group, adjusted p < 0.05, log2 fold change > 0.25',
  );
  expect(line({ tie_correct: 'false', pseudocount: '1e-9' })).toContain('tested with the defaults of scanpy');
  expect(line({ depth: 'downsample' })).toContain('at equal depth');
  const split = { split: JSON.stringify({ column: 'Treatment', bins: '' }) };
  expect(line(split)).toContain('By Cell type within each category of Treatment, all cells: ');
});

test('a notice tells what is compared', () => {
  expect(page.runningText(request({}))).toBe('Comparing the groups of Cell type');
  const selection = { version: '1', places: '' };
  expect(page.runningText({ groupby: 'Mine', selection })).toBe('Comparing the selection with the rest');
  expect(page.startedText).toBeUndefined();
});

test('no fact leads a result: all are behind the line of the page', () => {
  expect(page.Facts).toBeUndefined();
});

test('a number that the server would refuse keeps a marker analysis from running', () => {
  expect(isComplete(defaults, analysis)).toBe(true);
  const refused = { n_genes: '0', pvals_adj: '2', logfoldchanges: '-101', min_cells: '1' };
  for (const [field, text] of Object.entries(refused))
    expect(isComplete({ ...defaults, [field]: text }, analysis), field).toBe(false);
  // A column that is remembered from before and gone.
  expect(isComplete({ ...defaults, groupby: 'gone' }, analysis)).toBe(false);
});

test('an own annotation is a column of groups, and is requested by its name', () => {
  const own = { ...defaults, groupby: ownColumn('leiden, merged') };
  expect(requestOf(own, analysis)).toMatchObject({ groupby: 'leiden, merged' });
  expect(isComplete(own, analysis)).toBe(true);
});

test('numbers are cut as it was chosen, and a second column splits the groups', () => {
  const quarters = JSON.stringify({ by: 'quartiles', parts: '5', edges: '' });
  const edgesOf = (edges: string) => JSON.stringify({ by: 'edges', parts: '5', edges });
  const splitBy = (column: string, bins = '') => JSON.stringify({ column, bins });
  const binned = { groupby: obsColumn('n_genes'), bins: quarters, split: splitBy('Treatment') };
  expect(request(binned)).toMatchObject({
    groupby: 'n_genes',
    bins: { by: 'quantiles', parts: 4 },
    split: { column: 'Treatment' },
  });
  const byNumbers = { split: splitBy(obsColumn('age'), edgesOf('0.5, 2')) };
  expect(request(byNumbers)).not.toHaveProperty('bins');
  expect(request(byNumbers)).toMatchObject({
    split: { column: 'age', bins: { by: 'edges', edges: [0.5, 2] } },
  });
  expect(isComplete({ ...defaults, ...byNumbers }, analysis)).toBe(true);
  const falling = { split: splitBy(obsColumn('age'), edgesOf('2, 0.5')) };
  expect(isComplete({ ...defaults, ...falling }, analysis)).toBe(false);
  expect(isComplete({ ...defaults, bins: edgesOf('') }, analysis)).toBe(false);
  const itself = { groupby: 'Treatment', split: splitBy('Treatment') };
  expect(request(itself)).not.toHaveProperty('split');
  expect(request({ split: 'no json' })).not.toHaveProperty('split');
});

test('a form takes the values of a request', () => {
  const bins = { by: 'quantiles', parts: 5 } as const;
  const split = { column: 'Treatment', bins: { by: 'edges', edges: [1, 2.5] } } as const;
  const texts = module.textsOf!({ groupby: 'leiden', bins, split, n_genes: 20 });
  expect(request(texts)).toEqual({ ...sent, groupby: 'leiden', bins, split, n_genes: 20 });
});

test('a result against a group names it where it says the others without one', () => {
  const against = request({ groupby: 'Treatment', reference: 'none' });
  expect(against).toMatchObject({ groupby: 'Treatment', reference: 'none' });
  // Cells without a label are in no comparison with a group, whatever is chosen for them.
  expect(against).not.toHaveProperty('unlabelled');
  expect(page.runningText(against)).toBe('Comparing the groups of Treatment with none');
  expect(page.requestLine(against, 'all cells')).toContain('By Treatment, each against none, all cells: ');
  const titleOf = (parameters: object) => page.titles!({ parameters } as never).get('pct_nz_reference');
  expect(titleOf(against)).toBe('Expressing in none');
  expect(titleOf(request({}))).toBeUndefined();
});

beforeEach(() => {
  // The menus of choices ask for what jsdom does not have.
  Object.assign(Element.prototype, { hasPointerCapture: () => false, scrollIntoView: vi.fn() });
});

function Form() {
  const [form, setForm] = useState<FormTexts>(defaults);
  return (
    <>
      <module.Fields
        analysis={analysis}
        form={form}
        runs={[]}
        onChange={(change) => setForm({ ...form, ...change } as FormTexts)}
      />
      <output>{JSON.stringify(requestOf(form, analysis))}</output>
    </>
  );
}

function opened() {
  const fake = fakeServices();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fake.services}>
        <Form />
      </ServicesContext>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}
const shownRequest = () => JSON.parse(screen.getByRole('status').textContent) as object;

test('groups are split by any other column, and cells without a label left out by a check', async () => {
  const user = opened();
  expect(screen.getByRole('combobox', { name: 'Group By' })).toHaveTextContent(/^Cell type/);
  expect(screen.getByRole('combobox', { name: 'Split By' })).toHaveTextContent('Not split');
  expect(screen.getByLabelText('Min. Cells per Group')).toHaveValue(3);
  await user.click(screen.getByRole('combobox', { name: 'Split By' }));
  const names = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(names).toEqual(['Not split', 'Cluster, Leiden (2)', 'Treatment (2)']);
  await user.click(screen.getByRole('option', { name: 'Treatment (2)' }));
  expect(screen.getByText(/^Each group is compared with the other cells of its category/)).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: /^Leave out cells without a label/ }));
  expect(shownRequest()).toMatchObject({ split: { column: 'Treatment' }, unlabelled: 'left-out' });
  await user.click(screen.getByRole('combobox', { name: 'Split By' }));
  await user.click(screen.getByRole('option', { name: 'Not split' }));
  expect(shownRequest()).not.toHaveProperty('split');
});

test('groups are compared with one of the chosen column, which another column empties, and bins have none', async () => {
  const user = opened();
  const choose = async (field: string, option: RegExp | string) => {
    await user.click(screen.getByRole('combobox', { name: field }));
    const names = screen.getAllByRole('option').map(({ textContent }) => textContent);
    await user.click(screen.getByRole('option', { name: option }));
    return names;
  };
  expect(screen.getByRole('combobox', { name: 'Compare With' })).toHaveTextContent('All other cells');
  expect(await choose('Compare With', 'T cell')).toEqual(['All other cells', 'B cell', 'T cell']);
  expect(shownRequest()).toMatchObject({ groupby: 'cell_type', reference: 'T cell' });
  expect(screen.getByText(/^Each other group is compared with the cells of this one/)).toBeVisible();
  await choose('Group By', /^Treatment/);
  expect(shownRequest()).not.toHaveProperty('reference');
  expect(await choose('Compare With', 'none')).toEqual(['All other cells', 'drug', 'none']);
  expect(shownRequest()).toMatchObject({ groupby: 'Treatment', reference: 'none' });
  await choose('Compare With', 'All other cells');
  expect(shownRequest()).not.toHaveProperty('reference');
  const bins = JSON.stringify({ by: 'quartiles', parts: '4', edges: '' });
  expect(request({ groupby: obsColumn('age'), bins, reference: 'old' })).not.toHaveProperty('reference');
});
