import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app.tsx';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, here, paths, viewerTitles } from './explorer.fixture.ts';

let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake({
    cell_types: [],
    cell_type_counts: {},
    leiden_clusters: ['0', '1', '2'],
    leiden_cluster_counts: { '0': 400, '1': 200, '2': 100 },
    patient_metadata: { cell_state: ['resting', 'cycling'] },
  });
});

async function opened() {
  const app = renderApp(here, fake);
  await screen.findByText('700 cells active');
  return app;
}

test('a dataset that has clusters only never calls them cell types', async () => {
  const { user } = await opened();
  expect(viewerTitles()).toEqual(['ClustersFull dataset UMAP']);
  const card = within(screen.getByRole('region', { name: 'Current Dataset' }));
  expect(card.getByText('Clusters').nextSibling).toHaveTextContent('3');
  expect(card.queryByText('Cell types')).toBeNull();
  expect(screen.getByLabelText('Generate Expression by Cluster Violin Plot')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cell Type Visualization' }));
  expect(screen.getByText('No cell types available for this dataset')).toBeVisible();
});

test('clusters are drawn once, without a cell type', async () => {
  const { user } = await opened();
  await user.click(screen.getByRole('button', { name: 'Cell Type Visualization' }));
  const run = screen.getByRole('button', { name: 'Visualize Clusters' });
  expect(run).toBeDisabled();
  await user.click(screen.getByRole('checkbox', { name: /^Cluster 1/ }));
  await user.click(run);
  expect(await screen.findByText('Cluster Visualization Generated')).toBeInTheDocument();
  expect(fake.sent(paths.cellType)).toEqual([{ cell_types: [], leiden_clusters: ['1'] }]);
  expect(viewerTitles()).toEqual(['Cluster 1Leiden cluster UMAP', 'ClustersFull dataset UMAP']);
  await user.click(run);
  expect(await screen.findByText('Images Already Generated')).toBeInTheDocument();
  expect(fake.sent(paths.cellType)).toHaveLength(1);
});

test('violins of such a dataset are by cluster', async () => {
  const { user } = await opened();
  await user.type(screen.getByRole('combobox', { name: 'Search genes' }), 'CD3D{Enter}');
  await user.click(screen.getByLabelText('Generate Expression by Cluster Violin Plot'));
  await user.click(screen.getByRole('button', { name: 'Visualize Selected Genes (1)' }));
  expect(await screen.findByText('Gene UMAP Generated')).toBeInTheDocument();
  expect(viewerTitles()).toContain('CD3DExpression by cluster');
});

test('a subset can keep clusters, and columns have one name wherever they are offered', async () => {
  const { user } = await opened();
  await user.click(screen.getByRole('button', { name: 'Manage Cell Subsets' }));
  await user.click(screen.getByRole('button', { name: 'Create Subset' }));
  await user.click(screen.getByRole('checkbox', { name: 'Metadata' }));
  const fields = within(screen.getByRole('list', { name: 'Metadata fields' }));
  expect(fields.getAllByRole('checkbox').map((box) => box.closest('li')?.textContent)).toEqual([
    'Cluster',
    'Cell State',
  ]);
  await user.click(screen.getByRole('button', { name: 'Run Analysis' }));
  await user.click(await screen.findByRole('button', { name: 'Marker Analysis' }));
  await user.click(screen.getByRole('combobox', { name: 'Group By' }));
  const options = await screen.findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['Cluster, Leiden (3)', 'Cell State (2)']);
});
