import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { FakeServices } from '@/testing/fakes.ts';
import { catalogueDataset, fakeServices, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { rememberDataset } from './recent-datasets.ts';

const catalogue = {
  Breast: {
    Ductal: [
      catalogueDataset({ dataset_filename: 'one.h5ad', name: 'Ductal tumours' }),
      catalogueDataset({ dataset_filename: 'two.h5ad', name: 'Ductal nodes' }),
    ],
    Lobular: [catalogueDataset({ dataset_filename: 'three.h5ad', name: 'Lobular tumours' })],
  },
  Lung: { IPF: [catalogueDataset({ dataset_filename: 'four.h5ad', name: 'Fibrosis' })] },
};

let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  fake.auth.signOut();
  fake.answer('/api/dataset_metadata', () => json(catalogue));
});
const explore = () => screen.findByRole('link', { name: 'Explore Dataset' });
const preview = () => within(screen.getByRole('region', { name: 'Dataset Preview' }));

test('the first dataset is shown before one is chosen, and the address stays as it was', async () => {
  const { address } = renderApp('/dataset-selector', fake);
  expect(await screen.findByRole('heading', { name: 'Breast Datasets' })).toBeVisible();
  expect(preview().getByRole('heading', { name: 'Ductal tumours' })).toBeVisible();
  expect(await explore()).toHaveAttribute('href', '/explorer?disease=Breast&dataset=one.h5ad');
  expect(address()).toBe('/dataset-selector');
});

test('with no dataset at all Explore Dataset goes to the explorer', async () => {
  fake.answer('/api/dataset_metadata', () => json({}));
  renderApp('/dataset-selector', fake);
  expect(await screen.findByText('No diseases available')).toBeVisible();
  expect(await explore()).toHaveAttribute('href', '/explorer');
});

test('who is signed in finds the dataset that was opened last, by its name', async () => {
  rememberDataset({ disease: 'Lung', dataset: 'four.h5ad', timestamp: 1 });
  rememberDataset({ disease: 'Old', dataset: 'gone.h5ad', name: 'Gone tumours', timestamp: 2 });
  const { unmount } = renderApp('/dataset-selector', fake);
  expect(await screen.findByRole('heading', { name: 'Breast Datasets' })).toBeVisible();
  unmount();
  fake.auth.signIn();
  renderApp('/dataset-selector', fake);
  expect(await screen.findByRole('heading', { name: 'Lung Datasets' })).toBeVisible();
  const recent = within(screen.getByRole('region', { name: 'Recently Selected' }));
  expect(recent.getByText('Gone tumours')).toBeVisible();
  expect(recent.queryByText('gone.h5ad')).toBeNull();
});

test('the only dataset of a sub-disease is chosen with it', async () => {
  const { user } = renderApp('/dataset-selector', fake);
  await user.click(await screen.findByRole('button', { name: 'Breast' }));
  await user.click(screen.getByRole('button', { name: 'Lobular (1 dataset)' }));
  expect(screen.getByRole('button', { name: /^Lobular tumours/ })).toHaveAttribute('aria-pressed', 'true');
  expect(await explore()).toHaveAttribute('href', '/explorer?disease=Breast&dataset=three.h5ad');
});

test('an address that names what is not there says so, shows another, and leads out', async () => {
  const { user, address } = renderApp(
    '/dataset-selector?disease=Lung&subdisease=IPF&dataset=nine.h5ad',
    fake,
  );
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The catalog has no dataset “nine.h5ad”. “Fibrosis” is shown instead.');
  expect(screen.getByRole('button', { name: 'Lung' })).toHaveAttribute('aria-expanded', 'true');
  expect(await explore()).toHaveAttribute('href', '/explorer?disease=Lung&dataset=four.h5ad');
  await user.click(within(alert).getByRole('link', { name: 'Browse all datasets' }));
  expect(address()).toBe('/dataset-selector');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('in steps a name that is not there leads to the step where it would be chosen', async () => {
  localStorage.setItem('cellfolio:selector-layout', 'steps');
  renderApp('/dataset-selector?disease=Breast&subdisease=Ductal&dataset=nine.h5ad', fake);
  expect(await screen.findByRole('heading', { name: 'Step 2: Select Dataset' })).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('The catalog has no dataset “nine.h5ad”.');
  expect(screen.queryByText(/shown instead/)).toBeNull();
});

test('in steps the way back finds each step as the address says, and what was searched for', async () => {
  localStorage.setItem('cellfolio:selector-layout', 'steps');
  const { user, router } = renderApp('/dataset-selector?search=ductal', fake);
  await user.click(await screen.findByRole('button', { name: 'Ductal (2 datasets)' }));
  await user.click(screen.getByRole('button', { name: /^Ductal nodes/ }));
  const steps = within(screen.getByRole('navigation', { name: 'Steps' }));
  expect(steps.getByText('Ductal nodes')).toBeVisible();
  await user.click(steps.getByRole('button', { name: /Step 1/ }));
  await user.clear(screen.getByRole('searchbox'));
  await user.type(screen.getByRole('searchbox'), 'lung');
  for (const heading of ['Step 3: Dataset Preview', 'Step 2: Select Dataset', 'Step 1: Browse by Disease']) {
    await router.navigate(-1);
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
  }
  expect(screen.getByRole('searchbox')).toHaveValue('ductal');
});

test('without a network every part of the page says what is missing and how to go on', async () => {
  fake.answer('/api/dataset_metadata', () => Promise.reject(new TypeError('Failed to fetch')));
  const { user } = renderApp('/dataset-selector', fake);
  expect(await screen.findByText(/^Error loading diseases/)).toBeVisible();
  expect(screen.getAllByText(/^The datasets could not be loaded\. Check your connection/)).toHaveLength(2);
  fake.answer('/api/dataset_metadata', () => json(catalogue));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Breast Datasets' })).toBeVisible();
  expect(screen.queryByText(/could not be loaded/)).toBeNull();
});
