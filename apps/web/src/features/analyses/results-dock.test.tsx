import type { FigureSource } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { countTables } from '@/features/tables/held-table.fixture.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { datasetAnalysis, fakeServices, json } from '@/testing/fakes.ts';
import { geneSetEnrichment, markerAnalysis, markerAnswer, pathwayAnswer } from './result.fixture.ts';
import { ResultsDock } from './results-dock.tsx';
import type { SelectedCells } from './result-view.tsx';
import { useAnalysisRuns } from './use-analysis-runs.ts';

const markersPath = '/api/perform-marker-analysis';
const enrichmentPath = '/api/perform-pathway-analysis';
let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  Object.assign(Element.prototype, { scrollIntoView: () => {}, hasPointerCapture: () => false });
  fake.answer(markersPath, () => json(markerAnswer()));
  fake.answer(enrichmentPath, () => json(pathwayAnswer()));
});

const rowFigure = {
  name: 'Violin',
  about: '',
  source: (source: FigureSource) => ({ source, title: 'a gene' }),
};
const modules = [geneSetEnrichment, { ...markerAnalysis, figuresOfRow: [rowFigure] }];

interface PageProps {
  selection: SelectedCells | null;
  onDraw: (genes: readonly string[]) => void;
}

function Page({ selection, onDraw }: PageProps) {
  const runs = useAnalysisRuns({
    modules,
    draftKey: 'dock',
    datasetName: 'd',
    title: 'Tumour',
    version: '1',
    group: null,
    cells: 700,
    subsets: [],
  });
  const [gene, show] = useState<string | null>(null);
  return (
    <>
      {modules.map((module) => (
        <button key={module.id} type="button" onClick={() => runs.prepare(module, { pathway_genes: 'CD3D' })}>
          {`Prepare ${module.title}`}
        </button>
      ))}
      <button type="button" onClick={() => runs.run(datasetAnalysis())}>
        Run
      </button>
      <button type="button" onClick={() => runs.compare([runs.analyses[0]!.id, runs.analyses[1]!.id])}>
        Compare
      </button>
      <p>{runs.running === null ? 'idle' : 'running'}</p>
      <ResultsDock
        runs={runs}
        genesPerCall={50}
        map={{ gene, show, draw: onDraw }}
        selection={selection}
        onShow={() => {}}
      />
    </>
  );
}

function open(selection: SelectedCells | null = null) {
  const onDraw = vi.fn<(genes: readonly string[]) => void>();
  const page = render(
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <Page selection={selection} onDraw={onDraw} />
      </QueryClientProvider>
    </ServicesContext>,
  );
  return { user: userEvent.setup(), onDraw, ...page };
}

const tabs = () => within(screen.getByRole('tablist', { name: 'Open results' })).getAllByRole('tab');
const result = (name: string) => screen.findByRole('tabpanel', { name });
const requestsTo = (path: string) => fake.requests.filter((request) => request.path === path);

const nextFrame = () => act(() => new Promise<void>((done) => void requestAnimationFrame(() => done())));

async function run(user: ReturnType<typeof userEvent.setup>, title: string) {
  await user.click(screen.getByRole('button', { name: `Prepare ${title}` }));
  await user.click(screen.getByRole('button', { name: 'Run' }));
  await result(title);
}

test('results are tabs of one region; a closed one stays in the list of analyses, and the keyboard closes and goes on', async () => {
  const { user } = open();
  await run(user, 'Marker Analysis');
  await run(user, 'Gene Set Enrichment Analysis');
  expect(screen.getByRole('region', { name: 'Results' })).toBeVisible();
  expect(tabs().map(({ textContent }) => textContent)).toEqual([
    'Marker Analysis',
    'Gene Set Enrichment Analysis',
  ]);
  tabs()[1]!.focus();
  await user.keyboard('{ArrowLeft}{Enter}');
  expect(within(await result('Marker Analysis')).getByText('Marker Analysis Complete')).toBeVisible();
  await user.keyboard('{Delete}');
  expect(tabs()).toHaveLength(1);
  await waitFor(() => expect(tabs()[0]).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Close Gene Set Enrichment Analysis' }));
  expect(screen.queryByRole('region', { name: 'Results' })).toBeNull();
});

test('what is set in a tab is still set after a look at another', async () => {
  const { user } = open();
  await run(user, 'Marker Analysis');
  await user.click(screen.getByRole('tab', { name: 'Full Table (2)' }));
  await user.type(screen.getByLabelText('Search the table'), 'CD3D');
  await run(user, 'Gene Set Enrichment Analysis');
  await user.click(tabs()[0]!);
  expect(screen.getByLabelText('Search the table')).toHaveValue('CD3D');
});

test('after a reload the tabs are there again; only the one that is shown is computed, another when it is shown', async () => {
  const first = open();
  await run(first.user, 'Marker Analysis');
  await run(first.user, 'Gene Set Enrichment Analysis');
  first.unmount();
  const { user } = open();
  expect(tabs()[1]).toHaveAttribute('aria-selected', 'true');
  const enrichment = await result('Gene Set Enrichment Analysis');
  expect(await within(enrichment).findByText(/recomputed now$/)).toBeVisible();
  expect(requestsTo(markersPath)).toHaveLength(1);
  expect(requestsTo(enrichmentPath)).toHaveLength(2);
  await user.click(tabs()[0]!);
  expect(await within(await result('Marker Analysis')).findByText(/recomputed now$/)).toBeVisible();
  expect(requestsTo(markersPath)).toHaveLength(2);
});

test('a tab says that it is computed and can be stopped, and a failure with a way to try again', async () => {
  const first = open();
  await run(first.user, 'Marker Analysis');
  first.unmount();
  const answer = Promise.withResolvers<Response>();
  fake.answer(markersPath, () => answer.promise);
  const { user } = open();
  const panel = within(await result('Marker Analysis'));
  expect(await panel.findByText('Computing Marker Analysis again...')).toBeVisible();
  fake.answer(markersPath, () => json({ code: 'x', message: 'Busy.' }, 503));
  await user.click(panel.getByRole('button', { name: 'Cancel' }));
  expect(await panel.findByText('The computation was stopped.')).toBeVisible();
  await user.click(panel.getByRole('button', { name: 'Compute' }));
  expect(await panel.findByRole('alert')).toHaveTextContent('Busy.');
  fake.answer(markersPath, () => json(markerAnswer()));
  await user.click(panel.getByRole('button', { name: 'Try again' }));
  expect(await panel.findByRole('tab', { name: 'Preview' })).toBeVisible();
});

test('a row shows its gene on the map, by mouse or with arrow keys and Enter, marked in the table; once more restores the map', async () => {
  const { user, onDraw } = open();
  await run(user, 'Marker Analysis');
  await user.click(screen.getByRole('tab', { name: 'Full Table (2)' }));
  const table = screen.getByRole('table', { name: 'Marker Analysis' });
  const marked = () =>
    within(table)
      .getAllByRole('row')
      .filter((row) => row.getAttribute('aria-current') === 'true')
      .map((row) => within(row).getAllByRole('cell')[2]!.textContent);
  const onMap = () => screen.queryByRole('group', { name: 'Gene on the map' })?.textContent ?? '';
  await user.click(within(table).getByText('T cell'));
  expect(onMap()).toContain('On the map: CD3D');
  expect(marked()).toEqual(['CD3D']);
  screen.getByRole('region', { name: 'Rows of the Marker Analysis' }).focus();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(marked()).toEqual(['CD79A']);
  await user.keyboard('{Enter}');
  expect(onMap()).toBe('');
  expect(onDraw).not.toHaveBeenCalled();
  await user.click(within(table).getByRole('button', { name: 'CD3D' }));
  await user.click(screen.getByRole('button', { name: 'Restore the map' }));
  expect(marked()).toEqual([]);
});

test('a result offers its analysis for the cells selected on the map, and their comparison with the rest', async () => {
  const filter = { subset_group_name: 'Lasso', cell_type_filter: true, cell_type: ['t-cell'] };
  const onCompare = vi.fn<() => void>();
  const { user } = open({ cells: 1204, group: () => ({ id: null, name: 'Lasso', filter }), onCompare });
  await run(user, 'Marker Analysis');
  await user.click(screen.getByRole('button', { name: 'Run for the 1,204 selected cells' }));
  await waitFor(() => expect(tabs()).toHaveLength(2));
  expect(requestsTo(markersPath)[1]!.body).toMatchObject({
    groupby: markerAnswer().parameters.groupby,
    cells: { subset: { cell_type: ['t-cell'] } },
  });
  expect(within(await result(`${markerAnalysis.title} 2`)).getByText(/, Lasso: /)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Compare selection with the rest' }));
  expect(onCompare).toHaveBeenCalledOnce();
});

test('a figure of a row has the focus when it opens, and neither takes it nor gives it back when its tab is shown', async () => {
  const { user } = open();
  await run(user, 'Gene Set Enrichment Analysis');
  await run(user, 'Marker Analysis');
  await user.click(screen.getByRole('tab', { name: 'Full Table (2)' }));
  const opener = screen.getAllByRole('button', { name: 'Violin of a gene' })[0]!;
  await user.click(opener);
  const back = screen.getByRole('button', { name: 'Back to the result' });
  expect(back).toHaveFocus();
  tabs()[1]!.focus();
  await user.keyboard('{ArrowLeft}{Enter}');
  await nextFrame();
  expect(tabs()[0]).toHaveFocus();
  await user.keyboard('{ArrowRight}{Enter}');
  await nextFrame();
  expect(tabs()[1]).toHaveFocus();
  await user.click(back);
  expect(opener).toHaveFocus();
});

test('runs of one analysis are numbered, and a result is compared with another one where it is read', async () => {
  const filter = { subset_group_name: 'Lasso', cell_type_filter: true, cell_type: ['t-cell'] };
  const { user } = open({
    cells: 9,
    group: () => ({ id: null, name: 'Lasso', filter }),
    onCompare: () => {},
  });
  await run(user, 'Gene Set Enrichment Analysis');
  expect(screen.queryByRole('button', { name: 'Compare with…' })).toBeNull();
  await run(user, 'Marker Analysis');
  await user.click(screen.getByRole('button', { name: 'Compare with…' }));
  expect(screen.getByRole('menu')).toHaveTextContent(
    'There is no other result with fold changes of genes yet.',
  );
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Run for the 9 selected cells' }));
  await result('Marker Analysis 2');
  expect(tabs().map(({ textContent }) => textContent)).toEqual([
    'Gene Set Enrichment Analysis',
    'Marker Analysis',
    'Marker Analysis 2',
  ]);
  await user.click(screen.getByRole('button', { name: 'Compare with…' }));
  await user.click(screen.getByRole('menuitem', { name: /^Marker Analysis/ }));
  expect(await screen.findByRole('table', { name: 'Compared Genes' })).toBeVisible();
});

test('a comparison keeps its table while another tab is shown, and frees each table once', async () => {
  const tables = countTables();
  const filter = { subset_group_name: 'Lasso', cell_type_filter: true, cell_type: ['t-cell'] };
  const selection = { cells: 9, group: () => ({ id: null, name: 'Lasso', filter }), onCompare: () => {} };
  const { user, unmount } = open(selection);
  await run(user, 'Marker Analysis');
  await user.click(screen.getByRole('button', { name: 'Run for the 9 selected cells' }));
  await waitFor(() => expect(tabs()).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  const joined = () => screen.getByRole('table', { name: 'Compared Genes' });
  expect(await screen.findByRole('table', { name: 'Compared Genes' })).toBeVisible();
  expect(tables.open.size).toBe(3);
  const latest = Math.max(...tables.open);
  await user.click(tabs()[0]!);
  await user.click(tabs()[2]!);
  expect(joined()).toBeVisible();
  expect(tables.open).toContain(latest);
  expect(tables.closed).toEqual([]);
  // Another threshold is another table.
  await user.clear(screen.getByLabelText('Colored: adjusted p-value below'));
  await user.keyboard('0.01');
  await waitFor(() => expect(tables.open).not.toContain(latest));
  await waitFor(() => expect(tables.open.size).toBe(3));
  await user.click(screen.getByRole('button', { name: 'Close Compare Results' }));
  await waitFor(() => expect(tables.open.size).toBe(2));
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  await screen.findByRole('table', { name: 'Compared Genes' });
  unmount();
  await waitFor(() => expect(tables.open.size).toBe(0));
  expect(tables.closed).toHaveLength(new Set(tables.closed).size);
});
