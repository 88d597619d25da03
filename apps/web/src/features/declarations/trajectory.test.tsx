import { trajectory } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices } from '@/testing/fakes.ts';
import { moduleOf } from './module-of.tsx';

const module = moduleOf(trajectory);
const { defaults, isComplete, requestOf, Fields } = module.form;
const dataset = datasetAnalysis({ columns: { cell_types: 'cell_type', patient_metadata: [] } });
const numbers = { n_neighbors: 15, n_dcs: 10 };
const rootBy = (chosen: string, texts: object = {}) => ({
  root: chosen,
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`root.${chosen}.${name}`, text])),
});
const form = (change: object = {}) => ({ ...defaults, ...change });

test('a form requests the suggested root in the groups of the dataset, and the numbers of scanpy', () => {
  expect(isComplete(defaults, dataset)).toBe(true);
  expect(requestOf(defaults, dataset)).toEqual({
    groupby: 'cell_type',
    root: { by: 'suggestion' },
    ...numbers,
  });
  const without = datasetAnalysis({ columns: { patient_metadata: [] } });
  expect(isComplete(defaults, without)).toBe(false);
  expect(isComplete(form({ groupby: 'leiden' }), without)).toBe(true);
});

test('runs on the graph of the file and on the computed one are distinguished in the list', () => {
  const lineOf = (graph: string) =>
    module.requestLine(requestOf(form({ graph, n_neighbors: '20' }), dataset), 'all 700 cells');
  expect(lineOf('file')).toBe(
    'Ordering the cells from a suggested tip, groups of Cell Type, all 700 cells: graph of the file, else computed graph of 20 neighbors',
  );
  expect(lineOf('computed')).toMatch(/all 700 cells: computed graph of 20 neighbors$/);
});

test.each([
  ['a root by a cell without its barcode', rootBy('cell', { barcode: ' ' })],
  ['a root by a group that was not chosen', rootBy('group')],
  ['two neighbours', { n_neighbors: '2' }],
  ['more components than are computed', { n_dcs: '16' }],
  ['more genes than have curves', { genes: Array.from({ length: 13 }, (_, i) => `G${i}`).join() }],
])('%s is not complete', (_what, change) => {
  expect(isComplete(form(change), dataset)).toBe(false);
});

test('genes are separated by commas, blanks and lines, each once, and the server takes the request', () => {
  const request = requestOf(
    form({ ...rootBy('cell', { barcode: ' AAAC-1 ' }), genes: 'A, B;C\nA' }),
    dataset,
  );
  expect(request).toMatchObject({ root: { by: 'cell', barcode: 'AAAC-1' }, genes: ['A', 'B', 'C'] });
  expect(analysisCall(trajectory).request.safeParse(request).success).toBe(true);
});

function Form({ start }: { start: object }) {
  const [texts, setTexts] = useState(form(start));
  return (
    <>
      <Fields
        analysis={dataset}
        form={texts}
        runs={[]}
        onChange={(change) => setTexts({ ...texts, ...(change as typeof texts) })}
      />
      <output>{JSON.stringify(requestOf(texts, dataset))}</output>
    </>
  );
}

function show(start: object) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fakeServices().services}>
        <Form start={start} />
      </ServicesContext>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

test('a barcode is kept while the root is chosen in another way', async () => {
  const user = show(rootBy('cell'));
  const choose = async (root: string) => {
    await user.click(screen.getByRole('combobox', { name: 'Root, where pseudotime is 0' }));
    await user.click(await screen.findByRole('option', { name: root }));
  };
  await user.type(screen.getByRole('textbox', { name: 'Barcode of the root' }), 'AAAC-1');
  await choose('The tip of a group');
  expect(screen.getByRole('combobox', { name: 'Group of the root' })).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('"root":{"by":"group"}');
  await choose('A cell of the map, or a barcode');
  expect(screen.getByRole('textbox', { name: 'Barcode of the root' })).toHaveValue('AAAC-1');
  await user.type(screen.getByRole('textbox', { name: /^Genes of the curves/ }), 'A B');
  expect(screen.getByRole('status')).toHaveTextContent('"genes":["A","B"]');
  await user.type(screen.getByRole('textbox', { name: /^Genes of the curves/ }), ' C D E F G H I J K L M');
  expect(screen.getByText('Name at most 12 genes.')).toBeVisible();
});

const group = (name: string, median: number | null) => ({
  name,
  cells: 1200,
  reached: median === null ? 0 : 1100,
  first_quartile: median,
  median,
  third_quartile: median,
});

test('facts tell the root, the order of the groups, and which of them are connected', async () => {
  const edges = Array.from({ length: 32 }, (_, at) => ({
    groups: ['late', `other ${at}`] as [string, string],
    connectivity: 1 - at / 40,
    in_tree: at === 0,
  }));
  const answer = {
    parameters: { groupby: 'stage', root: { by: 'suggestion' }, ...numbers },
    source: { dataset_filename: 'd', content: { kind: 'pseudotime-umap' } },
    group_title: 'Stage',
    groups: [group('far', null), group('late', 0.75), group('early', 0)],
    connectivities: edges,
    facts: [
      { code: 'root', title: 'Root', message: 'AAAC-1 (early) · 2,200 of 3,600 cells ordered' },
      { code: 'graph', title: 'Graph', message: 'computed' },
    ],
  } as unknown as AnalysisAnswer<typeof trajectory>;
  const Facts = module.Facts!;
  const user = userEvent.setup();
  render(<Facts answer={answer} onRun={() => {}} />);
  await user.click(
    screen.getByRole('button', { name: 'Root: AAAC-1 (early) · 2,200 of 3,600 cells ordered' }),
  );
  const groups = screen.getByRole('table', { name: 'Groups of Stage along pseudotime' });
  expect(
    within(groups)
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual(['early1,2001,1000.0000.0000.000', 'late1,2001,1000.7500.7500.750', 'far1,2000–––']);
  const connectivities = screen.getByRole('table', { name: 'PAGA connectivities' });
  expect(within(connectivities).getByRole('row', { name: 'late – other 0 1.000 yes' })).toBeVisible();
  expect(within(connectivities).getAllByRole('row')).toHaveLength(31);
  expect(screen.getByText('2 weaker ones are not listed.')).toBeVisible();
});
