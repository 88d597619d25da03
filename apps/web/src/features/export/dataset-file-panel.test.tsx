import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ExplorerFake } from '@/features/explore/explorer.fixture.ts';
import { explorerFake, here, subsetRow } from '@/features/explore/explorer.fixture.ts';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { watchSavedFiles } from '@/testing/stand-ins.ts';

const contentsPath = '/api/export-dataset/contents';
const filePath = '/api/export-dataset';
let fake: ExplorerFake;
let saved: ReturnType<typeof watchSavedFiles>;
beforeEach(() => {
  fake = explorerFake();
  fake.answer(contentsPath, () =>
    json({
      file_name: 'Tumour-all-cells.h5ad',
      cell_count: 700,
      gene_count: 30,
      bytes: 1_200_000,
      contents: [
        { part: 'X', text: '700 cells × 30 genes' },
        { part: 'obs', text: '<b>3</b> columns of the cells' },
      ],
      left_out: ['The dataset has no raw counts.'],
    }),
  );
  fake.answer(
    filePath,
    () => new Response(new Uint8Array(2048), { headers: { 'content-length': '2048', etag: '"v"' } }),
  );
  saved = watchSavedFiles();
});

async function opened() {
  const app = renderApp(here, fake);
  await screen.findByText('700 cells active');
  await app.user.click(button('Export Cells'));
  await app.user.click(screen.getByRole('radio', { name: /\.h5ad/ }));
  return app;
}
const button = (name: string) => screen.getAllByRole('button', { name }).at(-1)!;

test('the contents of the file, its omissions and its duration are shown before the download', async () => {
  const { user } = await opened();
  expect(await screen.findByText('700 cells as .h5ad, roughly 1.20 MB.')).toBeVisible();
  expect(screen.getByText('<b>3</b> columns of the cells')).toBeVisible();
  expect(screen.getByText('The dataset has no raw counts.')).toBeVisible();
  await user.click(button('Download .h5ad'));
  expect(await screen.findByText('Download started')).toBeInTheDocument();
  expect(fake.sent(filePath)).toEqual([{ counts: true, annotations: true }]);
  expect(saved.map(({ name }) => name)).toEqual(['Tumour-all-cells.h5ad']);
});

test('parts can be left out and scores put in, and the contents are looked up again', async () => {
  const { user } = await opened();
  await screen.findByText(/roughly 1\.20 MB/);
  await user.click(screen.getByLabelText('Raw counts'));
  await user.click(screen.getByLabelText('Your annotations and kept numbers'));
  await user.click(screen.getByRole('combobox', { name: 'Score of a cell state' }));
  await user.click(await screen.findByRole('option', { name: 'HYPOXIA' }));
  await screen.findByText(/roughly 1\.20 MB/);
  const expectedRequest = { counts: false, annotations: false, cell_state: { cell_state: 'HYPOXIA' } };
  expect(fake.sent(contentsPath).at(-1)).toEqual(expectedRequest);
  await user.click(button('Download .h5ad'));
  await waitFor(() => expect(fake.sent(filePath)).toEqual([expectedRequest]));
});

test('another subset is looked up again', async () => {
  fake.subsets.push(subsetRow());
  const { user } = await opened();
  await screen.findByText(/roughly 1\.20 MB/);
  await user.click(await screen.findByRole('combobox', { name: /subset/i }));
  await user.click(await screen.findByRole('option', { name: /T cells/ }));
  await waitFor(() => expect(fake.sent(contentsPath)).toHaveLength(2));
});

test('contents that cannot be looked up are reported, and nothing can be downloaded until they are', async () => {
  fake.answer(contentsPath, () => json({ code: 'too_busy', message: 'The server is busy.' }, 503));
  const { user } = await opened();
  expect(await screen.findByRole('alert')).toHaveTextContent('could not be listed: The server is busy.');
  expect(button('Download .h5ad')).toBeDisabled();
  fake.answer(contentsPath, () =>
    json({ file_name: 'a.h5ad', cell_count: 1, gene_count: 1, bytes: 100, contents: [], left_out: [] }),
  );
  await user.click(button('Try again'));
  expect(await screen.findByText(/^1 cell as \.h5ad/)).toBeVisible();
  expect(button('Download .h5ad')).toBeEnabled();
});

test('a download shows how much of the file is there, and can be cancelled', async () => {
  let signal: AbortSignal | null = null;
  fake.answer(filePath, (request) => {
    ({ signal } = request);
    return new Response(
      new ReadableStream({
        start: (to) => {
          to.enqueue(new Uint8Array(2048));
          request.signal?.addEventListener('abort', () => to.error(request.signal?.reason));
        },
      }),
      { headers: { 'content-length': '8192', etag: '"v"' } },
    );
  });
  const { user } = await opened();
  await screen.findByText(/roughly 1\.20 MB/);
  await user.click(button('Download .h5ad'));
  expect(await screen.findByText('2.05 KB of 8.19 KB received')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Progress of the download' })).toHaveAttribute(
    'data-value',
    '25',
  );
  await user.click(button('Cancel'));
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect((signal as AbortSignal | null)?.aborted).toBe(true);
  expect(saved).toEqual([]);
});
