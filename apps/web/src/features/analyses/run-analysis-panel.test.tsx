import type { KeptAnalysis } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Toaster } from '@/components/ui/toaster.tsx';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { datasetAnalysis, fakeServices, json } from '@/testing/fakes.ts';
import { markerAnalysis, markerAnswer, pathwayAnswer, testModules } from './result.fixture.ts';
import { ResultsDock } from './results-dock.tsx';
import { RunAnalysisPanel } from './run-analysis-panel.tsx';
import type { AnalysisRunsOptions } from './use-analysis-runs.ts';
import { useAnalysisRuns } from './use-analysis-runs.ts';

const onSendGenes = vi.fn();
const map = { gene: null, show: () => {}, draw: onSendGenes };
let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  onSendGenes.mockReset();
  // jsdom has no layout; the table draws the rows that its height shows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  // The menus of choices ask for what jsdom does not have.
  Object.assign(Element.prototype, {
    hasPointerCapture: () => false,
    scrollIntoView: () => {},
    scrollTo: () => {},
  });
  fake.answer('/api/gene-set-libraries', () => json(libraries({ may_pull: false })));
  fake.answer('/api/perform-marker-analysis', () => json(markerAnswer()));
  fake.answer('/api/perform-pathway-analysis', () => json(pathwayAnswer()));
});

function libraries({ may_pull }: { may_pull: boolean }) {
  return {
    libraries: [
      {
        name: 'KEGG_2021_Human',
        source: 'starter',
        title: 'KEGG 2021, abridged',
        release: 'abridged pathways after KEGG',
        licence: 'Apache 2.0',
        citation: '',
        set_count: 88,
      },
      {
        name: 'MSigDB_Hallmark_2020',
        source: 'built-in',
        title: 'MSigDB Hallmark 7.0',
        release: 'hallmark gene sets of MSigDB 7.0',
        licence: 'CC BY 4.0',
        citation: 'Liberzon et al. 2015',
        set_count: 50,
      },
    ],
    cell_states: [],
    may_pull,
  };
}

function Explorer({ present }: { present: Partial<AnalysisRunsOptions> }) {
  const runs = useAnalysisRuns({
    modules: testModules,
    draftKey: 'test',
    datasetName: 'd',
    title: 'Tumour',
    version: '1',
    group: null,
    cells: 700,
    subsets: [],
    ...present,
  });
  return (
    <>
      <RunAnalysisPanel analysis={datasetAnalysis()} runs={runs} onReload={async () => true} />
      <ResultsDock runs={runs} genesPerCall={50} map={map} selection={null} onShow={() => {}} />
      <p>{runs.running === null ? 'idle' : `${runs.running.title} ${runs.running.progress?.done ?? '?'}`}</p>
      <button type="button" onClick={() => runs.running?.onCancel()}>
        Cancel
      </button>
      <Toaster theme="light" />
    </>
  );
}

function show(present: Partial<AnalysisRunsOptions> = {}) {
  return render(
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <Explorer present={present} />
      </QueryClientProvider>
    </ServicesContext>,
  );
}

function open() {
  show();
  return userEvent.setup();
}

type User = ReturnType<typeof open>;
async function chooseAnalysis(user: User, title: string) {
  const back = screen.queryByRole('button', { name: 'All analyses' });
  if (back !== null) await user.click(back);
  await user.click(screen.getByRole('button', { name: title }));
}
async function choose(user: User, field: string, option: string | RegExp) {
  await user.click(screen.getByRole('combobox', { name: field }));
  await user.click(await screen.findByRole('option', { name: option }));
}
async function remove(user: User, menu: RegExp) {
  await user.click(screen.getByRole('button', { name: menu }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
}
const run = () => screen.getByRole('button', { name: 'Run Analysis' });
const requestsTo = (path: string) => fake.requests.filter((request) => request.path === path);

describe('Run Analysis', () => {
  test('marker analysis begins with the cell types, sends the parameters, and shows rows as text', async () => {
    const user = open();
    expect(screen.queryByRole('button', { name: 'Run Analysis' })).toBeNull();
    await chooseAnalysis(user, 'Marker Analysis');
    expect(screen.getByRole('combobox', { name: 'Group By' })).toHaveTextContent(/^Cell type/);
    expect(run()).toBeEnabled();
    await user.clear(screen.getByLabelText('Log Fold Change'));
    await user.click(run());
    const result = await screen.findByRole('tabpanel', { name: 'Marker Analysis' });
    expect(requestsTo('/api/perform-marker-analysis')[0]?.body).toEqual({
      groupby: 'cell_type',
      n_genes: 10,
      pvals_adj: 0.05,
      logfoldchanges: 0,
      min_cells: 3,
      unlabelled: 'reference',
      method: 'wilcoxon',
      depth: 'as-measured',
      tie_correct: true,
      pseudocount: 1,
      sparse_genes: 'exact',
      unassigned: 'groups',
    });
    const preview = within(result).getByRole('table', { name: /Preview/ });
    expect(within(preview).getAllByRole('row')).toHaveLength(3);
    expect(within(preview).getByText('CD79A')).toBeVisible();
    expect(result.querySelector('script')).toBeNull();
    expect(within(result).getByText('Marker Analysis Complete')).toBeVisible();
    // A notice would say the same.
    expect(document.querySelector('[data-sonner-toast]')).toBeNull();
  });

  test('the end of a long analysis is shown in the title of a hidden tab', async () => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    const answer = Promise.withResolvers<Response>();
    fake.answer('/api/perform-marker-analysis', () => answer.promise);
    const user = open();
    await chooseAnalysis(user, 'Marker Analysis');
    await choose(user, 'Group By', /Cell type/);
    await user.click(run());
    setTimeout(() => answer.resolve(json(markerAnswer())), 3100);
    await waitFor(() => expect(document.title).toBe('✓ Marker analysis complete · Cellfolio'));
    vi.mocked(vi.spyOn(document, 'hidden', 'get')).mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(document.title).not.toContain('complete');
    vi.restoreAllMocks();
  });

  test('the table is searched, its genes go to Gene Visualization or to enrichment, the result stays', async () => {
    const user = open();
    await chooseAnalysis(user, 'Marker Analysis');
    await choose(user, 'Group By', /Cell type/);
    await user.click(run());
    await user.click(await screen.findByRole('tab', { name: 'Full Table (2)' }));
    await user.type(screen.getByLabelText('Search the table'), 't cell');
    await user.click(await screen.findByRole('button', { name: 'Visualize 1 Gene' }));
    expect(onSendGenes).toHaveBeenCalledExactlyOnceWith(['CD3D']);

    await user.clear(screen.getByLabelText('Search the table'));
    await screen.findByRole('button', { name: 'Visualize 2 Genes' });
    await user.click(screen.getByRole('button', { name: 'Gene' }));
    const genes = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[2]?.textContent);
    expect(genes).toEqual(['CD3D', 'CD79A']);
    await user.click(screen.getByRole('button', { name: 'Enrich 2 Genes' }));
    expect(await screen.findByRole('textbox', { name: 'Genes' })).toHaveValue('CD3D, CD79A');
  });

  test('enrichment counts unique genes, names the starter library, and sends the list', async () => {
    const user = open();
    await chooseAnalysis(user, 'Gene Set Enrichment Analysis');
    expect(run()).toBeDisabled();
    await user.type(screen.getByRole('textbox', { name: 'Genes' }), 'cd3d, CD3D, cd3e');
    expect(screen.getByText(/^2 unique genes/)).toBeVisible();
    expect(await screen.findByText(/88 gene sets, for a first look/)).toBeVisible();
    await choose(user, 'Library', /MSigDB/);
    expect(
      screen.getByText('50 gene sets. Hallmark gene sets of MSigDB 7.0. License: CC BY 4.0.'),
    ).toBeVisible();
    await user.click(run());
    const result = await screen.findByRole('tabpanel', { name: 'Gene Set Enrichment Analysis' });
    await user.click(
      within(result).getByRole('button', {
        name: /tested of KEGG 2021, abridged · Apache 2\.0/,
      }),
    );
    expect(within(result).getByText(/Abridged pathways after KEGG\. License: Apache 2\.0\./)).toBeVisible();
    expect(requestsTo('/api/perform-pathway-analysis')[0]?.body).toEqual({
      pathway_genes: ['CD3D', 'CD3E'],
      library_name: 'MSigDB_Hallmark_2020',
      background: { kind: 'expressed', minimum_share: 0.01, minimum_cells: 3 },
      minimum_overlap: 2,
    });
    expect(await screen.findByText('Gene Set Enrichment Analysis Complete')).toBeInTheDocument();
  });

  test('operators fetch the libraries, hear how far it is, and what could not be fetched and why', async () => {
    let finish: (answer: Response) => void = () => {};
    fake.answer('/api/gene-set-libraries', () => json(libraries({ may_pull: true })));
    fake.answer('/api/gene-set-libraries/pull', () => new Promise<Response>((done) => (finish = done)));
    const user = open();
    await chooseAnalysis(user, 'Gene Set Enrichment Analysis');
    const operators = await screen.findByRole('region', { name: 'Operators' });
    await user.click(within(operators).getByRole('button', { name: 'Fetch Libraries' }));
    expect(within(operators).getByRole('button', { name: 'Fetching...' })).toBeDisabled();
    expect(await within(operators).findByText(/It continues if you leave this page/)).toBeVisible();
    await vi.waitFor(() => expect(requestsTo('/api/gene-set-libraries/pull')).toHaveLength(1));
    const before = requestsTo('/api/gene-set-libraries').length;
    finish(
      json({
        libraries: [
          { name: 'KEGG_2021_Human', outcome: 'fetched', warnings: [] },
          { name: 'Mine', outcome: 'kept', reason: 'it was added from a file', warnings: [] },
          {
            name: 'Reactome',
            outcome: 'failed',
            reason: 'Reactome was not fetched: no network.',
            warnings: [],
          },
        ],
      }),
    );
    expect(await within(operators).findByText(/1 of 3 libraries could not be fetched/)).toBeVisible();
    expect(within(operators).getByText('Reactome was not fetched: no network.')).toBeVisible();
    expect(within(operators).getByText('Mine kept: it was added from a file.')).toBeVisible();
    await vi.waitFor(() => expect(requestsTo('/api/gene-set-libraries').length).toBeGreaterThan(before));
  });

  test('those who operate nothing see no button to fetch libraries', async () => {
    const user = open();
    await chooseAnalysis(user, 'Gene Set Enrichment Analysis');
    expect(await screen.findByText(/88 gene sets/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Fetch Libraries' })).toBeNull();
  });

  test('a fetch that fails as a whole says what was kept', async () => {
    fake.answer('/api/gene-set-libraries', () => json(libraries({ may_pull: true })));
    fake.answer('/api/gene-set-libraries/pull', () =>
      json({ code: 'not_stored', message: 'Is its disk full?' }, 507),
    );
    const user = open();
    await chooseAnalysis(user, 'Gene Set Enrichment Analysis');
    await user.click(await screen.findByRole('button', { name: 'Fetch Libraries' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /Is its disk full\?.*The previous libraries are kept/,
    );
  });

  test('the background is chosen with its reason, and its thresholds are sent as they are', async () => {
    const user = open();
    await chooseAnalysis(user, 'Gene Set Enrichment Analysis');
    await user.type(screen.getByRole('textbox', { name: 'Genes' }), 'cd3d');
    expect(screen.getByText(/makes even random lists look significant/)).toBeVisible();
    await user.clear(screen.getByLabelText('Minimum % of Cells'));
    await user.type(screen.getByLabelText('Minimum % of Cells'), '10');
    await user.click(run());
    const result = await screen.findByRole('tabpanel', { name: 'Gene Set Enrichment Analysis' });
    expect(requestsTo('/api/perform-pathway-analysis')[0]?.body).toMatchObject({
      background: { kind: 'expressed', minimum_share: 0.1, minimum_cells: 3 },
    });
    await user.click(screen.getByRole('button', { name: 'Close Gene Set Enrichment Analysis' }));
    expect(result).not.toBeInTheDocument();
    await choose(user, 'Background', 'My own list');
    expect(run()).toBeDisabled();
    await user.type(screen.getByRole('textbox', { name: 'Background Genes' }), 'cd3d cd3e');
    const { background, ...answer } = pathwayAnswer();
    fake.answer('/api/perform-pathway-analysis', () =>
      json({ ...answer, background: { ...background, kind: 'own', gene_count: 2 } }),
    );
    await user.click(run());
    expect(
      await screen.findByRole('button', { name: /^Background: 2 genes of your own list/ }),
    ).toBeVisible();
    await choose(user, 'Background', 'All genes of the dataset');
    expect(screen.getByText(/This inflates significance/)).toBeVisible();
  });

  test('a result names its background, and every gene that was left out', async () => {
    const missing = Array.from({ length: 60 }, (_, gene) => `NONE${gene}`);
    fake.answer('/api/perform-pathway-analysis', () =>
      json(
        pathwayAnswer({
          not_found_genes: missing,
          not_in_background_genes: ['CD2'],
          warnings: [
            { code: 'few-genes', message: 'Only 2 genes of the list were tested.' },
            { code: 'genes-not-found', message: '60 of the 63 genes are not in the dataset.' },
          ],
          facts: [{ code: 'background', title: 'Background', message: 'said as a fact.' }],
        }),
      ),
    );
    const user = open();
    await chooseAnalysis(user, 'Gene Set Enrichment Analysis');
    await user.type(screen.getByRole('textbox', { name: 'Genes' }), 'cd3d');
    await user.click(run());
    const result = await screen.findByRole('tabpanel', { name: 'Gene Set Enrichment Analysis' });
    expect(within(result).getByText(/Only 2 genes/)).toBeVisible();
    expect(within(result).queryByText(/said as a fact/)).toBeNull();
    await user.click(
      within(result).getByRole('button', {
        name: /^Background: 5 expressed genes · 61 genes of the list left out/,
      }),
    );
    expect(
      within(result).getByText(/1 % of the active cells and at least 3 cells, so 7 cells here/),
    ).toBeVisible();
    expect(within(result).getByText(/human \(9 of 9 symbols\)/)).toBeVisible();
    expect(within(result).getByText(/NONE0, .*NONE59/)).toBeVisible();
    expect(within(result).getByText('Not in the background (1)')).toBeVisible();
  });

  test('a run that is cancelled ends its call and says so; one that fails keeps the form until it changes', async () => {
    let ended = false;
    fake.answer('/api/perform-marker-analysis', ({ signal }) => {
      signal?.addEventListener('abort', () => (ended = true));
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError'))),
      );
    });
    fake.answer(
      '/api/progress/',
      () => new Response('data: {"stage":"Comparing the groups","done":3,"total":16}\n\n'),
    );
    const user = open();
    await chooseAnalysis(user, 'Marker Analysis');
    await choose(user, 'Group By', /^Cluster/);
    await user.click(run());
    expect(await screen.findByText('Running Marker Analysis 3')).toBeVisible();
    const running = screen.getByRole('button', { name: 'Running...' });
    expect(running).toHaveAttribute('aria-disabled', 'true');
    expect(running).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('idle')).toBeVisible();
    expect(ended).toBe(true);
    expect(screen.queryByText('Analysis Failed')).toBeNull();
    expect(await screen.findByText('Canceled')).toBeInTheDocument();
    expect(screen.getByText('Marker analysis was stopped.')).toBeInTheDocument();

    fake.answer('/api/perform-marker-analysis', () =>
      json({ code: 'not_enough_groups', message: 'One group only.' }, 422),
    );
    await user.click(run());
    expect(await screen.findByText('Analysis Failed')).toBeInTheDocument();
    expect(screen.getByText('Failed to run marker analysis. Please try again.')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('One group only.');
    expect(screen.getByRole('combobox', { name: 'Group By' })).toHaveTextContent('Cluster');
    // Leaving a number says it again, which changes nothing.
    await user.click(screen.getByLabelText('Log Fold Change'));
    await user.tab();
    expect(screen.getByRole('alert')).toHaveTextContent('One group only.');
    await choose(user, 'Group By', /Cell type/);
    expect(screen.queryByText('One group only.')).toBeNull();
  });

  test('an analysis is listed after a reload with its cells, and computed again on them when it is opened', async () => {
    const filter = { subset_group_name: 'T cells', cell_type_filter: true, cell_type: ['t-cell'] };
    const group = { id: 's', name: 'T cells', filter };
    const user = userEvent.setup();
    const first = show({ group, cells: 300, subsets: [group] });
    await chooseAnalysis(user, 'Marker Analysis');
    await choose(user, 'Group By', /^Cluster/);
    await user.click(run());
    await screen.findByRole('tabpanel', { name: 'Marker Analysis' });
    await user.click(screen.getByRole('button', { name: 'Close Marker Analysis' }));
    first.unmount();

    const second = show({ group: null, subsets: [group] });
    const listed = screen.getByRole('button', { name: /^View results: Marker Analysis/ });
    expect(listed).toHaveAccessibleName(/By Cluster, T cells \(300 cells\): at most 10 genes per group/);
    await user.click(listed);
    const result = await screen.findByRole('tabpanel', { name: 'Marker Analysis' });
    expect(await within(result).findByText(/Run on .*, recomputed now$/)).toBeVisible();
    expect(within(result).queryByRole('note', { name: 'Changed since' })).toBeNull();
    expect(requestsTo('/api/perform-marker-analysis').map(({ body }) => body)).toMatchObject([
      { groupby: 'leiden' },
      { groupby: 'leiden', n_genes: 10, cells: { subset: { cell_type: ['t-cell'] } } },
    ]);
    expect(requestsTo('/api/perform-marker-analysis')[0]?.body).not.toHaveProperty('cells');
    // Its result is here now.
    await user.click(screen.getByRole('button', { name: 'Close Marker Analysis' }));
    await user.click(screen.getByRole('button', { name: /^View results/ }));
    await screen.findByRole('tabpanel', { name: 'Marker Analysis' });
    expect(requestsTo('/api/perform-marker-analysis')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Close Marker Analysis' }));
    second.unmount();

    const changed = { ...group, filter: { ...filter, cell_type: ['b-cell'] } };
    show({ version: '2', subsets: [changed] });
    expect(screen.getByText(/The dataset has been replaced since this was run/)).toBeVisible();
    expect(screen.getByText(/The subset “T cells” has a new filter/)).toBeVisible();
    await remove(user, /^More about Marker Analysis/);
    expect(screen.queryByText('Analyses of this dataset')).toBeNull();
  });

  test('a signed-in user finds the analyses of the account, with those that this browser kept before', async () => {
    fake.auth.signIn();
    const stored: KeptAnalysis[] = [];
    const list = () => json({ analyses: stored.toSorted((a, b) => b.ran_at - a.ran_at) });
    const path = '/api/datasets/d/kept-analyses';
    fake.answer(path, ({ method, body }) => {
      if (method === 'POST') stored.push(body as KeptAnalysis);
      return list();
    });
    const id = '0'.repeat(32);
    fake.answer(`/api/kept-analyses/${id}`, ({ method, body }) => {
      if (method === 'DELETE') stored.splice(0);
      else Object.assign(stored[0]!, body);
      return list();
    });
    const question = { id, version: '1', subset: null, cells: 7, request: { groupby: 'leiden' } };
    localStorage.setItem(
      'cellfolio:analyses:test',
      JSON.stringify([{ ...question, kind: markerAnalysis.id, ranAt: 1 }]),
    );
    const user = open();
    const listed = await screen.findByRole('button', { name: /^View results: Marker Analysis/ });
    expect(listed).toHaveAccessibleName(/By Cluster, all 7 cells/);
    expect(await screen.findByText(/^The newest 20 are kept in your account/)).toBeVisible();
    await waitFor(() => expect(stored).toHaveLength(1));
    await waitFor(() => expect(localStorage.getItem('cellfolio:analyses:test')).toBeNull());
    await user.click(screen.getByRole('button', { name: /^More about Marker Analysis/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    await user.clear(screen.getByRole('textbox', { name: /^Name of/ }));
    await user.keyboard('Treated{Enter}');
    expect(await screen.findByRole('button', { name: /^View results: Treated/ })).toBeVisible();
    await waitFor(() => expect(stored[0]).toMatchObject({ name: 'Treated' }));
    await remove(user, /^More about Treated/);
    expect(screen.queryByText('Analyses of this dataset')).toBeNull();
    await waitFor(() => expect(stored).toEqual([]));
  });

  test('an analysis that the account could not take stays listed, and the list says so', async () => {
    fake.auth.signIn();
    fake.answer('/api/datasets/d/kept-analyses', ({ method }) =>
      method === 'POST' ? json({ code: 'x', message: 'Busy.' }, 503) : json({ analyses: [] }),
    );
    const user = open();
    await chooseAnalysis(user, 'Marker Analysis');
    await choose(user, 'Group By', /^Cluster/);
    await user.click(run());
    await screen.findByRole('tabpanel', { name: 'Marker Analysis' });
    expect(await screen.findByText(/^Some could not be saved: download what you need/)).toBeVisible();
    expect(screen.getByRole('button', { name: /^View results: Marker Analysis/ })).toBeVisible();
  });

  test('an analysis of the list that fails says so, and is tried again as it was', async () => {
    const user = userEvent.setup();
    const first = show();
    await chooseAnalysis(user, 'Gene Set Enrichment Analysis');
    await user.type(screen.getByRole('textbox', { name: 'Genes' }), 'cd3d');
    await user.click(run());
    await screen.findByRole('tabpanel', { name: 'Gene Set Enrichment Analysis' });
    await user.click(screen.getByRole('button', { name: 'Close Gene Set Enrichment Analysis' }));
    first.unmount();
    show();
    fake.answer('/api/perform-pathway-analysis', () => json({ code: 'x', message: 'Busy.' }, 503));
    await chooseAnalysis(user, 'Marker Analysis');
    await user.click(screen.getByRole('button', { name: /^View results: Gene Set Enrichment/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Busy.');
    fake.answer('/api/perform-pathway-analysis', () => json(pathwayAnswer()));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    const result = await screen.findByRole('tabpanel', { name: 'Gene Set Enrichment Analysis' });
    expect(await within(result).findByRole('tab', { name: 'Preview' })).toBeVisible();
    expect(requestsTo('/api/perform-marker-analysis')).toEqual([]);
  });

  test('no markers and no significant gene sets are neither a success nor a failure', async () => {
    const groups = markerAnswer().groups.map((group) => Object.assign(group, { markers: 0 }));
    const passingGenes = { tested: 10, pvals_adj: 0, logfoldchanges: 4, both: 0 };
    fake.answer('/api/perform-marker-analysis', () =>
      json(
        markerAnswer({
          marker_csv: 'group,names\n',
          groups,
          passing: passingGenes,
          dotplot_image: '',
          source: null,
        }),
      ),
    );
    const user = open();
    await chooseAnalysis(user, 'Marker Analysis');
    await choose(user, 'Group By', /^Cluster/);
    await user.click(run());
    const result = await screen.findByRole('tabpanel', { name: 'Marker Analysis' });
    expect(within(result).getByText('No Markers Found')).toBeVisible();
    expect(document.querySelector('[data-sonner-toast]')).toBeNull();
    expect(
      within(result).getByText(/^None of 10 comparisons .* below 0\.05.*Raise Adjusted P-Value/),
    ).toBeVisible();
    expect(screen.queryByText('Marker Analysis Complete')).toBeNull();
  });
});
