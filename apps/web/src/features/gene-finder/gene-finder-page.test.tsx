import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { explorerFake } from '@/features/explore/explorer.fixture.ts';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const hostile = '<img src=x onerror=alert(1)>';
const type = (name: string, expressing: number, mean: number | null) => ({
  name,
  cells: 200,
  expressing,
  mean,
});
const dataset = (id: string, name: string, ...cell_types: ReturnType<typeof type>[]) => ({
  dataset_filename: id,
  name,
  simulated: false,
  symbol: 'Cd79a',
  cell_types,
});
const answer = {
  gene: 'cd79a',
  datasets: [
    dataset('one.h5ad', 'One', type('T cell', 2, 0.01), type('B cell', 150, 2)),
    dataset('custom:2', hostile, type('B cell', 0, null)),
  ],
  without_gene: 3,
  not_summarised: [{ dataset_filename: 'old.h5ad', name: 'Old', reason: 'no_statistics' }],
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
  const dot = screen.getByRole('link', { name: 'B cell: 75 % of 200 cells, mean 2.00' });
  expect(dot).toHaveAttribute('href', address);
  expect(screen.getByRole('link', { name: 'B cell: 0 % of 200 cells, mean unknown' })).toBeVisible();
  expect(screen.getByText(hostile)).toBeVisible();
  expect(screen.getByText('Datasets without this gene: 3.')).toBeVisible();
  expect(screen.getByText('Not yet summarised: 1')).toBeVisible();
});

test('a gene that nothing has is said, a failure can be tried again, and the header asks for another', async () => {
  const fake = explorerFake();
  let calls = 0;
  fake.answer('/api/gene-summary', () =>
    calls++ === 0
      ? json({ code: 'x', message: 'boom' }, 400)
      : json({ ...answer, gene: 'NONE', datasets: [] }),
  );
  const { user, address } = renderApp('/genes', fake);
  await user.type(await screen.findByRole('textbox', { name: 'Find a gene in all datasets' }), 'NONE{Enter}');
  expect(address()).toBe('/genes?gene=NONE');
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/None of the summarised datasets has a gene “NONE”/)).toBeVisible();
});
