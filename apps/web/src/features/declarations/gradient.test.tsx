import { gradient } from '@cellfolio/analyses';
import { analysisCall } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices } from '@/testing/fakes.ts';
import { moduleOf } from './module-of.tsx';

const module = moduleOf(gradient);
const { defaults, isComplete, requestOf, Fields } = module.form;
const samples = { column: 'donor', reason: 'the column of patients' };
const dataset = datasetAnalysis({
  samples,
  columns: { cell_types: 'cell_type', patient_metadata: [] },
});
const form = (chosen: string, texts: object = {}, change: object = {}) => ({
  ...defaults,
  axis: chosen,
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`axis.${chosen}.${name}`, text])),
  ...change,
});
const gene = form('gene', { gene: 'A' });

test.each([
  [form('gene', { gene: 'CD8A' }), { of: 'gene', gene: 'CD8A' }],
  [
    form('signature', { genes: '["A","B"]', score_name: ' Mine ' }),
    { of: 'signature', score_name: 'Mine', genes: ['A', 'B'] },
  ],
  [
    form('cell-state', { cell_state: 'HYPOXIA' }),
    { of: 'cell-state', cell_state: 'HYPOXIA', minimum_genes: 3 },
  ],
  [form('column', { column: 'depth' }), { of: 'column', column: 'depth' }],
  [
    form('pseudotime'),
    { of: 'pseudotime', groupby: 'cell_type', root: { by: 'suggestion' }, n_neighbors: 15, n_dcs: 10 },
  ],
  [form('groups', { from: 'B', to: 'T' }), { of: 'groups', groupby: 'cell_type', from: 'B', to: 'T' }],
  [
    form('line', { from: '[-1.5,0]', to: '[2,-3]', embedding: 'X_tsne' }),
    { of: 'line', from: [-1.5, 0], to: [2, -3], embedding: 'X_tsne' },
  ],
])('what is chosen becomes an axis that the server takes: %#', (texts, axis) => {
  expect(isComplete(texts, dataset)).toBe(true);
  const request = requestOf(texts, dataset);
  expect(request).toEqual({ axis, within_samples: true, degrees: 4 });
  expect(analysisCall(gradient).request.safeParse(request).success).toBe(true);
});

test.each([
  ['no gene', defaults],
  ['a signature without genes', form('signature', { genes: '[]' })],
  ['no cell state', form('cell-state')],
  ['no column', form('column')],
  ['a root by a group that was not chosen', form('pseudotime', { root: 'group' })],
  ['one group', form('groups', { from: 'B' })],
  ['a line from a group to itself', form('groups', { from: 'B', to: 'B' })],
  ['a coordinate that is none', form('line', { from: '[1,0]', to: '[null,0]' })],
  ['a line without length', form('line', { from: '[1,0]', to: '[1,0]' })],
  ['nine degrees of freedom', { ...gene, degrees: '9' }],
  ['thirteen genes of curves', { ...gene, genes: Array.from({ length: 13 }, (_, i) => `G${i}`).join() }],
])('%s cannot run', (_what, texts) => {
  expect(isComplete(texts, dataset)).toBe(false);
});

test('the test and the genes of the curves go along, and the samples where each is tested separately', () => {
  const chosen = { ...gene, samples: 'donor', genes: 'B C' };
  expect(requestOf(chosen, dataset)).toMatchObject({ samples: 'donor', genes: ['B', 'C'] });
  const pooled = requestOf({ ...chosen, within_samples: 'false' }, dataset);
  expect(pooled).toMatchObject({ within_samples: false, genes: ['B', 'C'] });
  expect(pooled).not.toHaveProperty('samples');
});

test('what is remembered from before and is no choice any more is a gene', () => {
  for (const axis of ['gone', 'constructor', '']) {
    expect(requestOf({ ...defaults, axis }, dataset)).toMatchObject({ axis: { of: 'gene' } });
  }
});

function show(start: typeof defaults, analysis = dataset) {
  function Form() {
    const [texts, setTexts] = useState(start);
    const state = isComplete(texts, analysis) ? JSON.stringify(requestOf(texts, analysis)) : 'cannot run';
    return (
      <>
        <Fields
          analysis={analysis}
          form={texts}
          runs={[]}
          onChange={(change) => setTexts({ ...texts, ...(change as typeof texts) })}
        />
        <output aria-label="Request">{state}</output>
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
  return userEvent.setup();
}
const request = () => screen.getByRole('status', { name: 'Request' });

test('coordinates are typed as people write them, and a line needs two different ends', async () => {
  const user = show(form('line'));
  const field = (name: string) => screen.getByRole('textbox', { name });
  await user.type(field('From: horizontal'), '-1,5');
  await user.type(field('From: vertical'), '0');
  await user.type(field('To: horizontal'), '−');
  expect(screen.getByText('Enter a number.')).toBeVisible();
  await user.type(field('To: horizontal'), '1.5');
  await user.type(field('To: vertical'), '0');
  expect(screen.getByText('The line has no length: enter two different ends.')).toBeVisible();
  expect(request()).toHaveTextContent('cannot run');
  await user.type(field('To: vertical'), '.25');
  expect(field('To: vertical')).toHaveValue('0.25');
  expect(request()).toHaveTextContent('"axis":{"of":"line","from":[-1.5,0],"to":[-1.5,0.25]}');
});

test('a form offers the samples where each is tested separately, and explains the choice', async () => {
  const user = show(gene);
  const choice = () => screen.getByRole('combobox', { name: 'Test' });
  expect(screen.getByText(/^Differences between samples are ignored/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Samples: Donor (detected)' })).toBeVisible();
  await user.click(choice());
  await user.click(await screen.findByRole('option', { name: 'Over all cells together' }));
  expect(screen.getByText(/^Each cell counts as a replicate/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Samples/ })).toBeNull();
  expect(request()).toHaveTextContent('"within_samples":false');
});

test('a form warns of a dataset without samples', () => {
  show(gene, datasetAnalysis());
  expect(screen.getByText(/^No sample column is known: choose one/)).toBeVisible();
});

test('the list of runs says the axis, and of pseudotime the graph', () => {
  const lineOf = (texts: typeof defaults) => module.requestLine(requestOf(texts, dataset), 'all cells');
  expect(lineOf(gene)).toBe('Testing genes along the expression of A, all cells');
  expect(lineOf(form('pseudotime'))).toBe(
    'Testing genes along pseudotime, all cells: graph of the file, else computed graph of 15 neighbors',
  );
});
