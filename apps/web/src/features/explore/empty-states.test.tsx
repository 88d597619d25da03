import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderApp } from '@/testing/render-app.tsx';
import { explorerFake, here, search, viewerTitles } from './explorer.fixture.ts';

const panel = (name: string) => screen.getByRole('button', { name, expanded: true });

async function opened(analysis: Parameters<typeof explorerFake>[0] = {}) {
  const { user } = renderApp(here, explorerFake(analysis));
  await search();
  return user;
}

test('an empty viewer brings the default map back', async () => {
  const user = await opened();
  await user.click(await screen.findByRole('button', { name: /^Hide Cell types.* from viewer/ }));
  const viewer = within(screen.getByRole('region', { name: 'Main Viewer' }));
  expect(viewer.getByText(/^The viewer is empty/)).toBeVisible();
  await user.click(viewer.getByRole('button', { name: 'Show the default UMAP' }));
  expect(viewerTitles()).toEqual(['Cell typesFull dataset UMAP']);
});

test('without saved subsets the option to draw in several leads to where they are made', async () => {
  const user = await opened();
  await user.click(screen.getByRole('button', { name: 'Create subsets' }));
  expect(panel('Manage Cell Subsets')).toBeVisible();
  expect(await screen.findByText(/Tick a filter below to create one/)).toBeVisible();
});

test('a dataset without cell types offers to suggest them by its clusters, and to label cells', async () => {
  const user = await opened({ cell_types: [], cell_type_counts: {} });
  await user.click(screen.getByRole('button', { name: 'Cell Type Visualization' }));
  await user.click(screen.getByRole('button', { name: 'Label cells yourself' }));
  expect(panel('Annotations')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cell Type Visualization' }));
  await user.click(screen.getByRole('button', { name: 'Suggest cell types...' }));
  expect(await screen.findByRole('heading', { name: 'Cell Type Annotation' })).toBeVisible();
});

test('set algebra without sets of the user says where they come from', async () => {
  const user = await opened();
  await user.click(screen.getByRole('button', { name: 'Set Algebra' }));
  expect(await screen.findByText(/save a subset or select cells on the map/)).toBeVisible();
});
