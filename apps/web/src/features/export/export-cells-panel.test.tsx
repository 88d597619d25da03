import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ExplorerFake } from '@/features/explore/explorer.fixture.ts';
import { explorerFake, here, paths, search, subsetRow } from '@/features/explore/explorer.fixture.ts';
import { datasetAnalysis, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { watchSavedFiles } from '@/testing/stand-ins.ts';
import { cellsFileName, roughSize } from './export-cells-panel.tsx';

let fake: ExplorerFake;
let saved: ReturnType<typeof watchSavedFiles>;
beforeEach(() => {
  fake = explorerFake();
  fake.answer(paths.exportCells, () => new Response('barcode\nc1\n'));
  saved = watchSavedFiles();
});

async function opened() {
  const app = renderApp(here, fake);
  await screen.findByText('700 cells active');
  await app.user.click(button('Export Cells'));
  return app;
}
const button = (name: string) => screen.getAllByRole('button', { name }).at(-1)!;

test('the genes of the search are exported with metadata and coordinates, or others and fewer columns, and the file is saved', async () => {
  const { user } = await opened();
  await user.click(button('Gene Visualization'));
  await user.type(await search(), 'cd3d{Enter}');
  await user.click(button('Export Cells'));
  expect(screen.getByText(/^700 cells as CSV, roughly \d/)).toBeVisible();
  await user.click(button('Export Cells'));
  expect(await screen.findByText('Download started')).toBeInTheDocument();
  expect(fake.sent(paths.exportCells)).toEqual([{ genes: ['CD3D'], metadata: true, coordinates: true }]);
  expect(saved).toHaveLength(1);
  expect(saved[0]!.name).toMatch(/-all-cells\.csv$/);
  expect(saved[0]!.file.size).toBe('barcode\nc1\n'.length);

  await user.type(screen.getByRole('combobox', { name: 'Genes to export' }), 'cst3{Enter}');
  await user.click(screen.getByLabelText('Metadata of the cells'));
  await user.click(screen.getByLabelText('UMAP coordinates'));
  await user.click(button('Export Cells'));
  await waitFor(() => expect(fake.sent(paths.exportCells)).toHaveLength(2));
  expect(fake.sent(paths.exportCells)[1]).toEqual({
    genes: ['CD3D', 'CST3'],
    metadata: false,
    coordinates: false,
  });
  // The search keeps its own.
  expect(screen.getByText('Visualize Selected Genes (1)')).toBeInTheDocument();
  await user.click(button('Use the genes of Gene Visualization'));
  expect(screen.getByRole('list', { name: 'Genes of the file' })).toHaveTextContent(/^CD3D$/);
});

test('the scores of a signature that was scored before and of a cell state are columns of the file', async () => {
  const { user } = await opened();
  expect(screen.queryByRole('combobox', { name: 'Score of a signature' })).toBeNull();
  await user.click(button('Signature Visualization'));
  await user.type(screen.getByRole('combobox', { name: 'Signature genes' }), 'cd3d,cst3{Enter}');
  await user.type(screen.getByLabelText('Signature Name'), 'Mixed');
  await user.click(button('Score Signature (2)'));
  await user.click(button('Export Cells'));
  const choose = async (name: string, option: string) => {
    await user.click(await screen.findByRole('combobox', { name }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  const sizeBefore = screen.getByText(/^700 cells as CSV/).textContent;
  await choose('Score of a signature', 'Mixed');
  await choose('Score of a cell state', 'HYPOXIA');
  expect(screen.getByText(/^700 cells as CSV/).textContent).not.toBe(sizeBefore);
  await user.click(button('Export Cells'));
  await waitFor(() => expect(fake.sent(paths.exportCells)).toHaveLength(1));
  expect(fake.sent(paths.exportCells)).toEqual([
    {
      genes: [],
      metadata: true,
      coordinates: true,
      signature: { score_name: 'Mixed', genes: ['CD3D', 'CST3'] },
      cell_state: { cell_state: 'HYPOXIA' },
    },
  ]);
  await choose('Score of a cell state', 'None');
  await user.click(button('Export Cells'));
  await waitFor(() => expect(fake.sent(paths.exportCells)).toHaveLength(2));
  expect(fake.sent(paths.exportCells)[1]).not.toHaveProperty('cell_state');
});

test('a subset is counted, and names the file', async () => {
  fake.subsets.push(subsetRow());
  const { user } = await opened();
  await user.click(await screen.findByRole('combobox', { name: /subset/i }));
  await user.click(await screen.findByRole('option', { name: /T cells/ }));
  expect(await screen.findByText(/^120 cells as CSV/)).toBeVisible();
  await user.click(button('Export Cells'));
  await waitFor(() =>
    expect(saved.map(({ name }) => name)).toEqual([expect.stringMatching(/-T_cells-cells/)]),
  );
});

test('the received bytes are shown during a download, and the export can be cancelled', async () => {
  let signal: AbortSignal | null = null;
  fake.answer(paths.exportCells, (request) => {
    ({ signal } = request);
    return new Response(
      new ReadableStream({
        start: (to) => {
          to.enqueue(new Uint8Array(2048));
          request.signal?.addEventListener('abort', () => to.error(request.signal?.reason));
        },
      }),
    );
  });
  const { user } = await opened();
  await user.click(button('Export Cells'));
  expect(await screen.findByText('2.05 KB received')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Progress of the download' })).toBeVisible();
  await user.click(button('Cancel'));
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect((signal as AbortSignal | null)?.aborted).toBe(true);
  expect(saved).toEqual([]);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a refusal, and a file that breaks off, are shown with a way to try again', async () => {
  fake.answer(paths.exportCells, () => json({ code: 'too_busy', message: 'The server is busy.' }, 503));
  const { user } = await opened();
  await user.click(button('Export Cells'));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to export the cells: The server is busy.',
  );
  fake.answer(
    paths.exportCells,
    () =>
      new Response(
        new ReadableStream({
          pull: (to) => {
            to.enqueue(new Uint8Array(10));
            to.error(new TypeError('network error'));
          },
        }),
      ),
  );
  await user.click(button('Try again'));
  await waitFor(() => expect(fake.sent(paths.exportCells)).toHaveLength(2));
  expect(await screen.findByText(/^Failed to export the cells: (?!The server is busy)/)).toBeVisible();
  expect(saved).toEqual([]);
  fake.answer(paths.exportCells, () => new Response('barcode\n'));
  await user.click(button('Try again'));
  expect(await screen.findByText('Download started')).toBeInTheDocument();
});

test('the file has a harmless name, and its size grows with what is in it', () => {
  expect(cellsFileName('A/B: tumour', null, 'csv')).toBe('A_B_tumour-all-cells.csv');
  expect(cellsFileName('x', '../=1', 'csv')).toBe('x-1-cells.csv');
  const analysis = datasetAnalysis();
  const bare = roughSize(1000, analysis, { metadata: false, coordinates: false });
  expect(roughSize(1000, analysis, { metadata: false, coordinates: false, genes: ['A'] })).toBeGreaterThan(
    bare,
  );
  expect(roughSize(1000, analysis, { metadata: true, coordinates: false })).toBeGreaterThan(bare);
  expect(roughSize(2000, analysis, { metadata: false, coordinates: false })).toBe(2 * bare);
});
