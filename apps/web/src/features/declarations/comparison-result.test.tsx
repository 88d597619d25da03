import { comparison } from '@cellfolio/analyses';
import type { DatasetAnalysis } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Toaster } from '@/components/ui/toaster.tsx';
import { ResultsDock, RunAnalysisPanel, useAnalysisRuns } from '@/features/analyses/index.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { chooseFile } from '@/testing/results.ts';
import { watchSavedFiles } from '@/testing/stand-ins.ts';
import { ServicesContext } from '@/lib/services.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { datasetAnalysis, fakeServices, json } from '@/testing/fakes.ts';
import { comparisonOfSamples, comparisonOfTypes } from '@/features/comparisons/comparison.fixture.ts';
import { declaredAnalysis } from './module-of.tsx';

const comparisonAnalysis = declaredAnalysis(comparison);
const path = '/api/perform-deg-analysis';
const modules = [comparisonAnalysis];
const onSendGenes = vi.fn();
const onMap = vi.fn();
const map = { gene: null, show: onMap, draw: onSendGenes };
let fake: FakeServices;
let saved: ReturnType<typeof watchSavedFiles>;
beforeEach(() => {
  fake = fakeServices();
  onSendGenes.mockReset();
  onMap.mockReset();
  saved = watchSavedFiles();
  // jsdom has no layout; the table draws the rows that its height shows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  Object.assign(Element.prototype, {
    hasPointerCapture: () => false,
    scrollIntoView: () => {},
    scrollTo: () => {},
  });
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

const samples = { column: 'donor', reason: 'the column of patients' };
const withoutCounts = datasetAnalysis({ samples });
const set = (name: string) =>
  JSON.stringify({ name, filter: { subset_group_name: name, cell_type_filter: true, cell_type: [name] } });

interface Sides {
  a: string;
  b: string;
}

function Page({ analysis, sides }: { analysis: DatasetAnalysis; sides: Sides }) {
  const [draftKey] = useState(() => `u:${Math.random()}`);
  const runs = useAnalysisRuns({
    modules,
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
      <button type="button" onClick={() => runs.prepare(comparisonAnalysis, { ...sides })}>
        prepare
      </button>
      <RunAnalysisPanel analysis={analysis} runs={runs} onReload={() => Promise.resolve(true)} />
      <ResultsDock runs={runs} genesPerCall={50} map={map} selection={null} onShow={() => {}} />
      <Toaster theme="light" />
    </>
  );
}

async function run(analysis = withoutCounts, sides: Sides = { a: set('B cell'), b: set('T cell') }) {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fake.services}>
        <Page analysis={analysis} sides={sides} />
      </ServicesContext>
    </QueryClientProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'prepare' }));
  return user;
}

async function opened(analysis = withoutCounts) {
  const user = await run(analysis);
  await user.click(screen.getByRole('button', { name: 'Run Analysis' }));
  return { user, result: await screen.findByRole('tabpanel', { name: 'DEG Analysis' }) };
}

test('the form says how many cells are on each side, which are on both, and why samples matter', async () => {
  await run();
  expect(await screen.findByText(/400 cells in A, 300 cells in B/)).toBeInTheDocument();
  expect(screen.getByText(/10 cells are in both: choose sets/)).toBeInTheDocument();
  expect(
    screen.getByText(/Donor: the column of patients, .*Each cell counts as a replicate/),
  ).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'A: the cells of interest: B cell' })).toBeInTheDocument();
});

test('the form says which side has no active cell, and how to choose some', async () => {
  fake.answer('/api/cell-sets', () =>
    json({ dataset_cells: 700, counts: [300, 400, 300], combinations: [{ inside: [0, 2], count: 300 }] }),
  );
  await run();
  expect(await screen.findByText(/^A has no active cell: .* under Cell subset\.$/)).toBeInTheDocument();
});

test('a run ends with every gene in a table, narrowed to one direction, by p-value and by fold change, and so is the file', async () => {
  const { user, result } = await opened();
  expect(fake.requests.find((request) => request.path === path)?.body).toMatchObject({
    a: { name: 'B cell' },
    b: { name: 'T cell' },
    method: 'wilcoxon',
  });
  expect(within(result).getByRole('tab', { name: 'Full Table (4)' })).toBeInTheDocument();
  expect(within(result).getByText(/B cell, 400 cells/)).toBeInTheDocument();
  await user.click(within(result).getByRole('button', { name: /B cell, 400 cells/ }));
  expect(within(result).getByText('4 tests were made.')).toBeInTheDocument();
  await user.click(within(result).getByRole('tab', { name: /Full Table/ }));
  const genes = () =>
    within(result)
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[1]?.textContent);
  expect(genes()).toEqual(['CD79A', 'CD3D', 'ACTB', 'SCALED']);
  fireEvent.change(within(result).getByLabelText('Adjusted p-value below'), { target: { value: '0.05' } });
  await waitFor(() => expect(genes()).toEqual(['CD79A', 'CD3D', 'ACTB']));
  fireEvent.change(within(result).getByLabelText(/^Log2 fold change at least/), { target: { value: '1' } });
  await waitFor(() => expect(genes()).toEqual(['CD79A', 'CD3D']));
  await user.click(within(result).getByRole('combobox', { name: 'Direction' }));
  await user.click(await screen.findByRole('option', { name: 'Higher in B' }));
  await waitFor(() => expect(genes()).toEqual(['CD3D']));
  await chooseFile(user, /^Table of higher in B/, /^CSV/);
  const [{ file, name }] = saved as [(typeof saved)[number]];
  expect(name).toMatch(/^deg_analysis_higher.*\.csv$/);
  const csv = await file.text();
  expect(csv).toContain('# Only higher in B, adjusted p < 0.05, |log2 fold change| ≥ 1 (1 row) of all genes');
  expect(csv.split('\n').filter((line) => /^[A-Z]/.test(line))).toHaveLength(1);
});

async function plots() {
  const { user, result } = await opened();
  await user.click(within(result).getByRole('tab', { name: 'Plots' }));
  return { user, result };
}
const counts = (result: HTMLElement) =>
  within(within(result).getByRole('group', { name: 'Thresholds' })).getByRole('status').textContent;

describe('where samples and raw counts are known', () => {
  const withCounts = datasetAnalysis({ samples, raw_counts: true });
  beforeEach(() => {
    fake.answer(path, () => json(comparisonOfSamples()));
    fake.answer('/api/deg-design', () =>
      json({
        parts: [
          {
            name: '',
            formula: '~ side',
            columns: ['side'],
            column_kinds: ['categories'],
            paired: false,
            samples_a: 3,
            samples_b: 3,
            residual_df: 4,
            left_out_columns: [{ column: 'sex', reason: 'constant' }],
            left_out: [{ name: 'P7', side: 'a', cells: 4, reason: 'few-cells' }],
          },
        ],
        refused: [],
        samples: { column: 'mouse', reason: 'the column of patients' },
        warnings: [],
      }),
    );
  });

  test('the form says the model and the samples before it runs', async () => {
    await run(withCounts);
    expect(
      await screen.findByText(
        /^~ side: 3 \+ 3 samples, 4 residual degrees of freedom\. Not in the model: sex, as all samples have one value\. 1 sum left out: too few cells/,
      ),
    ).toBeInTheDocument();
    expect(screen.getByRole('combobox', { name: 'Method' })).toHaveTextContent(/^Pseudobulk/);
    expect(screen.queryByText(/Each cell counts as a replicate/)).toBeNull();
  });

  test('the form says which replicates were chosen and why, and warns of samples of the same animals', async () => {
    const message = 'The replicates are 24 samples (Sample) of 6 mice.';
    const design = {
      parts: [],
      refused: [],
      samples: {
        column: 'mouse',
        reason: '6 values, chosen because each of 24 values of Sample lies in one mouse',
        nesting: { samples: { column: 'sample', values: 24 }, units: [{ column: 'mouse', values: 6 }] },
      },
      warnings: [{ code: 'samples-nested', message }],
    };
    fake.answer('/api/deg-design', () => json(design));
    await run(withCounts);
    expect(await screen.findByText(/^Replicates: Mouse \(6 values, chosen because/)).toBeInTheDocument();
    expect(screen.getByText(message)).toBeInTheDocument();
  });

  test('of a negative binomial test the form says how far it can be believed, and the result its dispersions', async () => {
    const answer = comparisonOfSamples();
    answer.pseudobulk!.parts[0]!.spread.measure = 'dispersion';
    answer.pseudobulk!.parts[0]!.dispersions = {
      trend: 'parametric',
      coefficients: [0.05, 4],
      least_mean: 1.5,
      filtered: 1,
      outliers: 0,
      replaced: 2,
    };
    fake.answer(path, () => json(answer));
    const user = await run(withCounts);
    expect(screen.getByRole('button', { name: 'Options' })).toBeInTheDocument();
    await user.click(screen.getByRole('combobox', { name: 'Method' }));
    await user.click(await screen.findByRole('option', { name: /^Negative binomial/ }));
    expect(screen.getByText(/more false discoveries pass than stated/)).toBeInTheDocument();
    // It has no variances to moderate.
    expect(screen.queryByRole('button', { name: 'Options' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Run Analysis' }));
    const result = within(await screen.findByRole('tabpanel', { name: 'DEG Analysis' }));
    await user.click(result.getByRole('button', { name: /^A:/ }));
    expect(
      result.getByText(/^shrunken towards 0\.0500 \+ 4\.00 \/ mean count; 1 gene below .* filtered out; /),
    ).toBeInTheDocument();
    await user.click(result.getByRole('tab', { name: 'Diagnostics' }));
    expect(result.getByRole('region', { name: 'Mean and dispersion' })).toBeInTheDocument();
  });

  test('of a quasi-likelihood test the result says what its curve is', async () => {
    const answer = comparisonOfSamples();
    answer.pseudobulk!.parts[0]!.spread.measure = 'quasi-dispersion';
    fake.answer(path, () => json(answer));
    const user = await run(withCounts);
    await user.click(screen.getByRole('combobox', { name: 'Method' }));
    await user.click(await screen.findByRole('option', { name: /^Quasi-likelihood F test/ }));
    expect(screen.getByText(/accounts for uncertain variances/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Options' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Run Analysis' }));
    const result = within(await screen.findByRole('tabpanel', { name: 'DEG Analysis' }));
    await user.click(result.getByRole('tab', { name: 'Diagnostics' }));
    expect(result.getByText(/near 1 if the dispersion trend fits/)).toBeInTheDocument();
  });

  test('the form says why samples cannot be compared', async () => {
    const message = 'Effects of "side" and "batch" cannot be told apart.';
    fake.answer('/api/deg-design', () => json({ code: 'confounded', message }, 422));
    await run(withCounts);
    expect(await screen.findByText(message)).toBeInTheDocument();
  });

  test('a result shows its design, what was left out, and figures to judge it by', async () => {
    fake.answer('/api/render-figure', () => new Response(new Uint8Array(24)));
    const { user, result } = await opened(withCounts);
    expect(fake.requests.find((request) => request.path === path)?.body).toMatchObject({
      method: 'pseudobulk',
      pairing: 'auto',
      covariates: [],
    });
    await user.click(within(result).getByRole('button', { name: /^A:/ }));
    expect(
      within(result).getByRole('row', { name: /^~ side 3 \+ 3 4 \+ 3\.3 prior 2 of 3 1 0/ }),
    ).toBeInTheDocument();
    const left = 'P8 (B: 20 cells, no counts in the tested genes); P7 (A: 4 cells, too few)';
    expect(within(result).getByText(left)).toBeInTheDocument();
    await user.click(within(result).getByRole('tab', { name: 'Diagnostics' }));
    const titles = ['Map of samples', 'Design', 'Mean and variance', 'P-values', 'Genes by sample'];
    for (const title of [...titles, 'One gene by sample'])
      expect(within(result).getByRole('region', { name: title })).toBeInTheDocument();
    await vi.waitFor(() => expect(renderedContents()).toHaveLength(6));
    expect(renderedContents()).toContainEqual(
      expect.objectContaining({ kind: 'sample-dots', gene: 'CD79A' }),
    );
    // A gene that was not tested is none to choose.
    const gene = within(result).getByRole('combobox', { name: 'Gene by sample' });
    fireEvent.change(gene, { target: { value: 'RARE' } });
    expect(gene).toBeInvalid();
    fireEvent.change(gene, { target: { value: 'ACTB' } });
    await vi.waitFor(() =>
      expect(renderedContents()).toContainEqual(expect.objectContaining({ gene: 'ACTB' })),
    );
  });
  const renderedContents = () =>
    fake.requests
      .filter((request) => request.path === '/api/render-figure')
      .map(({ body }) => (body as { source: { content: object } }).source.content);

  test('a result of cell tests offers samples instead, for the same sets and cells', async () => {
    fake.answer(path, () => json(comparisonOfTypes({ pseudobulk_offered: true })));
    const { user, result } = await opened();
    fake.answer(path, () => json(comparisonOfSamples()));
    await user.click(within(result).getByRole('button', { name: 'Run pseudobulk instead' }));
    expect(await screen.findByRole('tab', { name: 'Diagnostics' })).toBeInTheDocument();
    const requestBody = fake.requests.findLast((request) => request.path === path)?.body;
    expect(requestBody).toMatchObject({
      a: { name: 'B cell' },
      b: { name: 'T cell' },
      method: 'pseudobulk',
      cells: {},
    });
  });
});

test('a result over all cells of sides of other types offers each type by itself, for the same sides and test', async () => {
  fake.answer(path, () => json(comparisonOfTypes({ within_offered: 'cell_type' })));
  const { user, result } = await opened();
  expect(within(result).getByText(/differ in their shares of Cell Type/)).toBeInTheDocument();
  await user.click(within(result).getByRole('button', { name: 'Compare within each type' }));
  await waitFor(() => expect(fake.requests.filter((request) => request.path === path)).toHaveLength(2));
  expect(fake.requests.findLast((request) => request.path === path)?.body).toMatchObject({
    a: { name: 'B cell' },
    b: { name: 'T cell' },
    method: 'wilcoxon',
    within: 'cell_type',
  });
});

test('the form shows that types are compared by themselves, and all cells together can be chosen', async () => {
  const side = (name: string) =>
    JSON.stringify({
      name,
      filter: {
        subset_group_name: name,
        patient_metadata_filter: true,
        patient_metadata: { condition: [name] },
      },
    });
  const patient_metadata = [{ field: 'condition', column: 'condition' }];
  const columns = { cell_types: 'cell_type', leiden_clusters: 'leiden', patient_metadata };
  const user = await run(datasetAnalysis({ samples, columns }), { a: side('treated'), b: side('control') });
  expect(screen.getByText(/^Each group is compared separately/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Within each group of: Cell Type' }));
  await user.click(await screen.findByRole('button', { name: /^All cells together/ }));
  expect(screen.getByText(/^Genes of a group of Cell Type differ if/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Run Analysis' }));
  await screen.findByRole('tabpanel', { name: 'DEG Analysis' });
  expect(fake.requests.find((request) => request.path === path)?.body).not.toHaveProperty('within');
});

test('thresholds are sliders: counts follow without a call, and return to the requested values', async () => {
  const { user, result } = await plots();
  expect(counts(result)).toBe('1 higher in A, 1 higher in B');
  const calls = fake.requests.length;
  const change = within(result).getByRole('slider', { name: /^Log2 fold change/ });
  change.focus();
  expect(change).toHaveAttribute('aria-valuetext', '|log2 fold change| ≥ 1');
  await user.keyboard('{ArrowDown}');
  expect(change).toHaveAttribute('aria-valuetext', '|log2 fold change| ≥ 0.95');
  await user.keyboard('{PageDown}');
  expect(counts(result)).toBe('2 higher in A, 1 higher in B');
  const p = within(result).getByRole('slider', { name: 'Adjusted p-value below' });
  p.focus();
  await user.keyboard('{PageUp}{PageUp}');
  expect(p).toHaveAttribute('aria-valuetext', 'adjusted p < 0.0005');
  expect(counts(result)).toBe('1 higher in A, 1 higher in B');
  fireEvent.change(within(result).getByLabelText(/^Colored: log2 fold change/), {
    target: { value: '2.7' },
  });
  expect(counts(result)).toBe('1 higher in A, 0 higher in B');
  await user.click(within(result).getByRole('button', { name: 'Reset thresholds' }));
  expect(counts(result)).toBe('1 higher in A, 1 higher in B');
  expect(within(result).getByRole('button', { name: 'Reset thresholds' })).toBeDisabled();
  expect(fake.requests).toHaveLength(calls);

  // In a rank plot that of the p-value is a line at the scores that have it.
  await user.click(within(result).getByRole('button', { name: 'Rank Plot' }));
  const line = within(result).getByRole('slider');
  expect(line).toHaveAttribute('aria-valuetext', 'adjusted p < 0.05');
  // Between no score and that of ACTB, 4 with 0.002.
  expect(Number(line.getAttribute('aria-valuenow'))).toBeCloseTo(
    (4 * Math.log10(0.05)) / Math.log10(0.002),
    6,
  );
  line.focus();
  await user.keyboard('{PageUp}{PageUp}');
  expect(Number(line.getAttribute('aria-valuenow'))).toBeGreaterThan(3.8);
  await user.keyboard('{PageUp}{PageUp}{PageUp}{PageUp}{PageUp}');
  expect(counts(result)).toBe('1 higher in A, 0 higher in B');
  await user.keyboard('{Home}');
  expect(line).toHaveAttribute('aria-valuetext', 'adjusted p < 1');
});

test('the figure that is saved has the kind and the thresholds of the page; arrow keys go through the genes of a plot, the space bar selects one, and Enter shows it on the map', async () => {
  fake.answer('/api/render-figure', () => new Response('x', { headers: { 'content-type': 'image/png' } }));
  const { user, result } = await plots();
  await user.click(within(result).getByRole('button', { name: 'MA Plot' }));
  expect(within(result).getByRole('group', { name: /^MA Plot of/ })).toBeInTheDocument();
  fireEvent.change(within(result).getByLabelText(/^Colored: log2 fold change/), {
    target: { value: '2.7' },
  });
  await chooseFile(user, 'MA Plot', /^PNG\s*For the screen/);
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]!.name).toBe('deg_ma_plot.png');
  expect(fake.requests.find((request) => request.path === '/api/render-figure')?.body).toMatchObject({
    source: {
      content: { kind: 'ma-plot', thresholds: { pvals_adj: 0.05, logfoldchanges: 2.7 }, logfoldchanges: 1 },
    },
  });

  await user.click(within(result).getByRole('button', { name: 'Volcano Plot' }));
  within(result)
    .getByRole('group', { name: /^Volcano Plot of B cell against T cell/ })
    .focus();
  await user.keyboard('{ArrowRight}');
  expect(
    within(result).getByText('CD79A: log2 fold change 3.00, adjusted p 1.0e−19, score 9.00, mean 1.05'),
  ).toBeInTheDocument();
  await user.keyboard('{ArrowLeft}');
  expect(within(result).getByText(/^ACTB: log2 fold change 0\.50/)).toBeInTheDocument();
  await user.keyboard(' ');
  expect(within(result).getByRole('group', { name: 'Selected genes' })).toHaveTextContent(
    '1 gene selected: ACTB',
  );
  await user.keyboard('{Enter}');
  expect(onMap).toHaveBeenLastCalledWith('ACTB');
});

test('a click on the name of a gene in a plot shows it on the map at once, and selects nothing', async () => {
  const { user, result } = await plots();
  const chart = within(result).getByRole('group', { name: /^Volcano Plot of B cell against T cell/ });
  await user.click(within(chart).getByText('CD79A', { selector: 'text' }));
  expect(onMap).toHaveBeenLastCalledWith('CD79A');
  expect(onSendGenes).not.toHaveBeenCalled();
  expect(screen.queryByRole('group', { name: 'Selected genes' })).toBeNull();
});

test('selected genes are drawn as dots by what was compared, one click away', async () => {
  fake.answer('/api/render-figure', () => new Response('x', { headers: { 'content-type': 'image/png' } }));
  const { user, result } = await opened();
  await user.click(within(result).getByRole('tab', { name: /Full Table/ }));
  await user.click(within(result).getByRole('checkbox', { name: 'Select CD3D' }));
  await user.click(within(result).getByRole('checkbox', { name: 'Select CD79A' }));
  await user.click(within(result).getByRole('button', { name: 'Dot Plot' }));
  const figure = await screen.findByRole('region', { name: 'Dot Plot of 2 selected genes' });
  await waitFor(() =>
    expect(fake.requests.findLast(({ path: of }) => of === '/api/render-figure')?.body).toMatchObject({
      source: { content: { kind: 'compared-dots', genes: ['CD79A', 'CD3D'], a: { name: 'B cell' } } },
    }),
  );
  expect(within(figure).getByRole('button', { name: /^Download Dot Plot of 2/ })).toBeInTheDocument();
});

test('rows that are selected in the table are selected in the figure, saved as a list, and shown alone', async () => {
  const { user, result } = await opened();
  await user.click(within(result).getByRole('tab', { name: /Full Table/ }));
  await user.click(within(result).getByRole('checkbox', { name: 'Select CD3D' }));
  const bar = () => within(result).getByRole('group', { name: 'Selected genes' });
  expect(bar()).toHaveTextContent('1 gene selected: CD3D');
  await user.click(within(result).getByRole('checkbox', { name: 'Select ACTB' }));
  await user.click(within(result).getByRole('checkbox', { name: 'Select CD3D' }));
  expect(bar()).toHaveTextContent('1 gene selected: ACTB');
  await user.click(within(bar()).getByRole('button', { name: 'Clear the selection' }));
  expect(within(result).queryByRole('group', { name: 'Selected genes' })).toBeNull();
  await user.click(within(result).getByRole('checkbox', { name: 'Select CD3D' }));
  // Shift selects the rows between.
  await user.keyboard('{Shift>}');
  await user.click(within(result).getByRole('checkbox', { name: 'Select SCALED' }));
  await user.keyboard('{/Shift}');
  expect(bar()).toHaveTextContent('3 genes selected: CD3D, ACTB, SCALED');
  await user.click(within(bar()).getByRole('button', { name: 'Show these alone' }));
  await waitFor(() => expect(within(result).getAllByRole('row')).toHaveLength(4));
  await chooseFile(user, /^Table of selected \(3 rows\)/, /^CSV/);
  await waitFor(() => expect(saved).toHaveLength(1));
  await user.click(within(result).getByRole('tab', { name: 'Plots' }));
  await user.click(within(bar()).getByRole('button', { name: 'Visualize 3 Selected Genes' }));
  expect(onSendGenes).toHaveBeenCalledWith(['CD3D', 'ACTB', 'SCALED']);
});
