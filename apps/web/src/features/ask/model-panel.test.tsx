import type { PlanAnswer, RunEvent } from '@cellfolio/assistant';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { TooltipProvider } from '@/components/ui/tooltip.tsx';
import { indexGenes } from '@/features/genes/index.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, type FakeServices, fakeServices, json } from '@/testing/fakes.ts';
import type { AskHost } from './ask-host.ts';
import { ModelPanel } from './model-panel.tsx';

const model = { provider: 'local', model: 'm1', host: '127.0.0.1' };
const usage = { input_tokens: 10, output_tokens: 2 };
const hostile = '<img src=x onerror=alert(1)>';
const planned: PlanAnswer = {
  plan: {
    steps: [
      { id: 's1', tool: 'find_genes', arguments: { symbols: [hostile] }, purpose: hostile },
      { id: 's2', tool: 'analyze_markers', arguments: { groupby: 'cell_type' }, purpose: 'Marks.' },
    ],
    cannot: null,
  },
  problems: [],
  missing_genes: ['FOXP99'],
  version: '1',
  usage,
};
const table = {
  columns: [
    { name: 'names', title: 'Gene', about: '' },
    { name: 'scores', title: 'Score', about: '' },
  ],
  rows: [
    ['CD3D', 3],
    ['CD3E', 2.5],
  ],
  total_rows: 2,
};
const events: RunEvent[] = [
  { kind: 'step', step: 's1' },
  { kind: 'result', step: 's1', tool: 'analyze_markers', result: { table }, calls: [] },
  {
    kind: 'sentence',
    parts: [{ text: `${hostile} ` }, { value: '2.5', step: 's1', path: '/rows/names=CD3E/scores' }],
  },
  { kind: 'end', struck: 0, usage },
];
const stream = (some: readonly RunEvent[]) =>
  new Response(some.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

function show(fake: FakeServices) {
  const colorMap = vi.fn();
  const analysis = datasetAnalysis();
  const host: AskHost = {
    analysis,
    index: indexGenes(analysis.gene_library, { filename: analysis.dataset_filename, version: '1' }),
    draftKey: 'x',
    run: async () => 'done',
    cancel: () => {},
    model: { cells: undefined, colorMap },
  };
  render(
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <TooltipProvider>
          <ModelPanel question="Why?" count={1} host={host} model={model} onClose={() => {}} />
        </TooltipProvider>
      </QueryClientProvider>
    </ServicesContext>,
  );
  return { colorMap, user: userEvent.setup() };
}

function withPlan(answer: PlanAnswer = planned): FakeServices {
  const fake = fakeServices();
  fake.answer('/api/assistant/plan', () => json(answer));
  return fake;
}

test('an edited plan runs with steps in a row, and a number opens its row; names are text', async () => {
  const fake = withPlan();
  fake.answer('/api/assistant/run', () => stream(events));
  const { user, colorMap } = show(fake);
  await screen.findByText('Not in the dataset: FOXP99.');
  expect(document.querySelector('img')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Remove Find Genes' }));
  await user.click(screen.getByRole('button', { name: 'Run' }));
  const value = await screen.findByRole('button', { name: '2.5' });
  expect(fake.requests.find(({ path }) => path === '/api/assistant/run')?.body).toMatchObject({
    plan: { steps: [{ id: 's1', tool: 'analyze_markers' }] },
  });
  expect(colorMap).toHaveBeenCalledExactlyOnceWith({ kind: 'obs-umap', column: 'cell_type' });
  expect(screen.getByRole('region', { name: 'Answer' })).toHaveTextContent(hostile);
  expect(document.querySelector('img')).toBeNull();
  await user.click(value);
  const dialog = screen.getByRole('dialog', { name: 'Marker Analysis' });
  expect(within(dialog).getByRole('row', { current: true })).toHaveTextContent('CD3E2.5');
});

test('a run can be canceled, which aborts its request', async () => {
  const fake = withPlan();
  fake.answer(
    '/api/assistant/run',
    ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  );
  const { user } = show(fake);
  await user.click(await screen.findByRole('button', { name: 'Run 2 steps' }));
  expect(screen.getAllByText('Waiting')).toHaveLength(2);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('Canceled.');
  expect(fake.requests.find(({ path }) => path === '/api/assistant/run')?.signal?.aborted).toBe(true);
});

test('a plan without steps says why, with the problems of the model’s plan', async () => {
  show(
    withPlan({
      ...planned,
      plan: { steps: [], cannot: 'There is no survival data.' },
      problems: [{ step: 's1', field: 'groupby', problem: 'There is no column "x".' }],
    }),
  );
  await screen.findByText('There is no survival data.');
  expect(screen.getByRole('list', { name: 'Problems of the plan' })).toHaveTextContent(
    's1, groupby: There is no column "x".',
  );
  expect(screen.queryByRole('button', { name: 'Run' })).toBeNull();
});

test('a refusal is the sentence of the server, and the plan can be requested again', async () => {
  const fake = fakeServices();
  fake.answer('/api/assistant/plan', () => json({ code: 'model_busy', message: 'The model is busy.' }, 502));
  const { user } = show(fake);
  await screen.findByText('The model is busy.');
  fake.answer('/api/assistant/plan', () => json(planned));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Run 2 steps' })).toBeVisible();
});

test('own data is sent with consent alone, to the model that the server names', async () => {
  const fake = fakeServices();
  const refusal = { code: 'consent_needed', message: 'Agree to it first.', details: model };
  fake.answer('/api/assistant/plan', () => json(refusal, 403));
  const { user } = show(fake);
  const dialog = await screen.findByRole('dialog', { name: 'Send your own data to a model?' });
  expect(dialog).toHaveTextContent('127.0.0.1');
  const other = { ...model, model: 'm2' };
  fake.answer('/api/assistant/consent', () =>
    json({ code: 'model_changed', message: 'The model is m2 now.', details: other }, 409),
  );
  await user.click(screen.getByRole('button', { name: 'Agree and continue' }));
  await screen.findByText('The model is m2 now.');
  fake.answer('/api/assistant/consent', () => json({ ...other, consented: true }));
  fake.answer('/api/assistant/plan', () => json(planned));
  await user.click(screen.getByRole('button', { name: 'Agree and continue' }));
  await screen.findByRole('button', { name: 'Run 2 steps' });
  const agreed = fake.requests.findLast(({ path }) => path === '/api/assistant/consent');
  expect(agreed?.body).toEqual({ ...other, consented: true });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
