import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { catalogueDataset, datasetAnalysis, fakeServices, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const simulated = { dataset_filename: 'tumour_one', simulated: true };

function demo(overrides: Parameters<typeof fakeServices>[0] = { demoDataset: 'tumour_one' }) {
  const fake = fakeServices(overrides);
  fake.auth.signOut();
  fake.answer('/api/dataset_analysis/tumour_one', () => json(datasetAnalysis()));
  fake.answer('/api/dataset_metadata', () =>
    json({ 'Breast Cancer': { Primary: [catalogueDataset(simulated)] } }),
  );
  return fake;
}

test('a visitor sees simulated data, and what needs an account, and every call is one of a visitor', async () => {
  const fake = demo();
  const { user, router } = renderApp('/demo/explorer', fake);
  const about = within(await screen.findByRole('complementary', { name: 'About this demo' }));
  expect(about.getByText('Simulated')).toBeVisible();
  expect(about.getByText(/Nothing you do here is stored/)).toBeVisible();
  expect(about.getByRole('link', { name: 'Sign up for the free trial' })).toHaveAttribute('href', '/auth');
  const locked = screen.getByRole('list', { name: 'Sign in to run analyses' });
  expect(within(locked).getByText('Run Analysis')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Run Analysis' })).toBeNull();
  for (const { headers } of fake.requests) {
    expect(headers.get('x-demo-dataset')).toBe('tumour_one');
    expect(headers.get('authorization')).toBeNull();
  }
  expect(fake.requests.filter(({ path }) => /category-displays|annotations|rest\/v1/.test(path))).toEqual([]);
  await user.click(screen.getByRole('link', { name: 'Sign in to run analyses' }));
  await waitFor(() =>
    expect(router.state.location).toMatchObject({
      pathname: '/auth',
      state: { next: '/explorer?disease=Breast+Cancer&dataset=tumour_one' },
    }),
  );
});

test('with somebody signed in the calls stay a visitor’s, and the ways on lead to the explorer', async () => {
  const fake = demo();
  fake.auth.signIn();
  renderApp('/demo/explorer', fake);
  const way = await screen.findByRole('link', { name: 'Open in the explorer' });
  expect(way).toHaveAttribute('href', '/explorer?disease=Breast+Cancer&dataset=tumour_one');
  const opened = fake.requests.find(({ path }) => path.startsWith('/api/dataset_analysis'));
  expect(opened?.headers.get('authorization')).toBeNull();
});

test('more genes than the viewer shows are not drawn, and it says so', async () => {
  const { user } = renderApp('/demo/explorer', demo());
  await user.type(await screen.findByRole('combobox', { name: 'Search genes' }), 'CST3,CD79A,CD3D{Enter}');
  const visualize = screen.getByRole('button', { name: 'Visualize Selected Genes (3)' });
  expect(visualize).toBeEnabled();
  await user.click(screen.getByRole('checkbox', { name: /Violin Plot/ }));
  expect(visualize).toBeDisabled();
  expect(screen.getByText('The demo shows 2 of these at once. Remove 1.')).toBeVisible();
});

test('a demo that cannot be opened says so, and leads to the demo step by step', async () => {
  const fake = demo();
  fake.answer('/api/dataset_analysis/tumour_one', () =>
    json({ code: 'busy', message: 'The server is busy.' }, 503),
  );
  renderApp('/demo/explorer', fake);
  expect(await screen.findByRole('heading', { name: 'The live demo could not be opened' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Demo in seven steps' })).toHaveAttribute('href', '/demo');
});

test('a server without a demo dataset shows the demo step by step', async () => {
  const { address } = renderApp('/demo/explorer', demo({}));
  expect(await screen.findByText('Step 1 of 7')).toBeVisible();
  expect(address()).toBe('/demo');
});
