import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { explorerFake, here } from '@/features/explore/explorer.fixture.ts';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const hostile = '<img src=x onerror=alert(1)>';
const type = (name: string, column: number, expressing: number, mean: number | null) => ({
  name,
  column,
  cells: 200,
  expressing,
  mean,
});
const dataset = (id: string, name: string, ...cell_types: ReturnType<typeof type>[]) => ({
  dataset_filename: id,
  name,
  simulated: false,
  symbol: 'Cd79a',
  computed: id.startsWith('custom:'),
  cell_types,
});
const answer = {
  gene: 'cd79a',
  datasets: [
    dataset('one.h5ad', 'One', type('T cell', 1, 2, 0.01), type('B cell', 0, 150, 2)),
    dataset('custom:2', hostile, type('b_cells', 0, 0, null)),
  ],
  columns: [
    {
      name: 'B cell',
      spellings: [
        { name: 'B cell', datasets: 1 },
        { name: 'b_cells', datasets: 1 },
      ],
    },
    { name: 'T cell', spellings: [{ name: 'T cell', datasets: 1 }] },
  ],
  reading: 'It is expressed most widely in “B cell” of “One”.',
  renamed: [],
  nearest: [],
  without_gene: [{ dataset_filename: 'lacks.h5ad', name: 'Lacks <b>it</b>' }],
  not_summarised: [{ dataset_filename: 'old.h5ad', name: 'Old', reason: 'not_log_normalised' }],
  left_out: 0,
};

test('a gene is shown by dataset and cell type, and each leads to the explorer with the gene drawn', async () => {
  const fake = explorerFake();
  fake.answer('/api/gene-summary', () => json(answer));
  renderApp('/genes?gene=cd79a', fake);
  const columns = await screen.findAllByRole('columnheader');
  expect(columns.map(({ textContent }) => textContent)).toEqual(['Dataset', 'B cell', 'T cell']);
  const address = '/explorer?dataset=one.h5ad&view=gene-umap%3ACd79a';
  expect(screen.getByRole('link', { name: 'One' })).toHaveAttribute('href', address);
  const dot = screen.getByRole('link', { name: 'B cell: 75.0 % of 200 cells, mean 2.00' });
  expect(dot).toHaveAttribute('href', address);
  expect(screen.getByRole('link', { name: 'b_cells: 0.0 % of 200 cells, mean unknown' })).toBeVisible();
  expect(screen.getByText(hostile)).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Cd79a in All Datasets' })).toBeVisible();
  expect(screen.getByText('Datasets without this gene: 1')).toBeVisible();
  expect(screen.getByText('Lacks <b>it</b>')).toBeVisible();
  expect(screen.getByText('Not summarized: 1')).toBeVisible();
  expect(screen.getByText(answer.reading)).toBeVisible();
  expect(screen.getByText(/^Computed now.*: 1 dataset\.$/)).toBeVisible();
  const spellings = 'B cell: written “B cell” in 1 dataset, “b_cells” in 1 dataset';
  expect(columns[1]).toHaveAttribute('title', spellings);
  expect(screen.getByText(spellings)).toBeInTheDocument();
});

test.each([
  [[{ symbol: 'PTPRC', datasets: 2 }], '“cd79a” is another name of PTPRC, shown here.'],
  [
    [{ symbol: 'PTPRC', datasets: 1 }],
    '“cd79a” is another name of PTPRC (1 dataset), shown if a dataset has no gene of that name.',
  ],
])('a gene that was found by another name says so', async (renamed, text) => {
  const fake = explorerFake();
  fake.answer('/api/gene-summary', () => json({ ...answer, renamed }));
  renderApp('/genes?gene=cd79a', fake);
  expect(await screen.findByText(text)).toBeVisible();
});

test('the plot is a file of each kind', async () => {
  const fake = explorerFake();
  fake.answer('/api/gene-summary', () => json(answer));
  const requestedPaths: string[] = [];
  fake.answer('/api/gene-summary-file', (request) => {
    requestedPaths.push(request.path);
    const pixels = { width: 600, height: 500 };
    if (request.path.includes('format=json')) {
      const pdf = { width: 89, height: 74 };
      return json({ files: { png: pixels, 'png-300dpi': pixels, svg: pixels, pdf } });
    }
    return new Response('dataset\n', { headers: { 'content-type': 'text/csv' } });
  });
  const { user } = renderApp('/genes?gene=cd79a', fake);
  for (const name of [/^PNG ?For/, /^PNG, 300 dpi/, /^SVG/, /^CSV/]) {
    await user.click(await screen.findByRole('button', { name: 'Download' }));
    await user.click(await screen.findByRole('menuitem', { name }));
  }
  expect(await screen.findByText('cd79a_by_dataset.csv')).toBeVisible();
  expect(requestedPaths).toEqual(
    ['png', 'png-300dpi', 'svg', 'csv'].map((format) => `/api/gene-summary-file?gene=cd79a&format=${format}`),
  );
  await user.click(screen.getByRole('button', { name: 'Download' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Title and width…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Download figure' }));
  await user.type(dialog.getByLabelText('Width in mm'), '89');
  expect(await dialog.findByText(/^89 × 74 mm/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Download' }));
  expect(requestedPaths.at(-1)).toBe('/api/gene-summary-file?gene=cd79a&format=pdf&width_mm=89');
});

test('a missing gene is reported with similar names, a failure can be retried, and the header searches for another', async () => {
  const fake = explorerFake();
  let calls = 0;
  fake.answer('/api/gene-summary', () =>
    calls++ === 0
      ? json({ code: 'x', message: 'boom' }, 400)
      : json({
          ...answer,
          gene: 'NONE',
          datasets: [],
          columns: [],
          nearest: [{ symbol: hostile, datasets: 3 }],
        }),
  );
  const { user, address } = renderApp('/genes', fake);
  await user.type(await screen.findByRole('textbox', { name: 'Gene in all datasets' }), 'NONE{Enter}');
  expect(address()).toBe('/genes?gene=NONE');
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/None of the summarized datasets has a gene “NONE”/)).toBeVisible();
  await user.click(screen.getByRole('link', { name: `${hostile} 3 datasets` }));
  expect(address()).toBe(`/genes?${new URLSearchParams({ gene: hostile })}`);
});

test('in a narrow window the header has a button that opens the box', async () => {
  const fake = explorerFake();
  fake.answer('/api/gene-summary', () => json(answer));
  const { user, address } = renderApp('/genes', fake);
  await user.click(await screen.findByRole('button', { name: 'Gene in all datasets' }));
  const box = within(await screen.findByRole('dialog')).getByRole('textbox');
  expect(box).toHaveFocus();
  await user.type(box, ' cd79a{Enter}');
  expect(address()).toBe('/genes?gene=cd79a');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the explorer looks for a gene in a new tab, so that nothing of it is left', async () => {
  const { user, address } = renderApp(here, explorerFake());
  const box = await screen.findByRole('textbox', { name: 'Gene in all datasets, in a new tab' });
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  await user.type(box, ' {Enter}');
  expect(open).not.toHaveBeenCalled();
  await user.clear(box);
  await user.type(box, 'CD79A{Enter}');
  expect(open.mock.calls).toEqual([['/genes?gene=CD79A', '_blank', 'noopener']]);
  expect(address().startsWith(here)).toBe(true);
});
