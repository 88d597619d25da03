import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { explorerFake, here, paths, search } from '@/features/explore/explorer.fixture.ts';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const short = '/l/4Hq2mZt8WcXa';
const leadsTo =
  (address: string, ...subsets: object[]) =>
  () =>
    json({ id: '4Hq2mZt8WcXa', address, subsets, labels: [] });

test('a short link leads to the view that it stands for', async () => {
  const fake = explorerFake();
  fake.answer('/api/links/4Hq2mZt8WcXa', leadsTo(`${here}&view=category-umap`));
  const { address } = renderApp(short, fake);
  await search();
  expect(address()).toContain(here);
});

test('cells too many for an address come with the link, and again when the page is reloaded', async () => {
  const places = 'A'.repeat(3000);
  const id = 'd8f1ad2e-6a57-4f4b-9a5e-0c6a8d1e7b11';
  const cells = { version: '1', places };
  const subset = {
    id,
    subset_name: 'by lasso',
    filter_config: { activeFilterTypes: ['cells'], cellsFilter: cells },
  };
  const fake = explorerFake();
  fake.answer('/api/links/4Hq2mZt8WcXa', leadsTo(`${here}&subset=${id}`, subset));
  const first = renderApp(short, fake);
  await search();
  await waitFor(() =>
    expect(fake.sent(paths.filter)).toContainEqual(
      expect.objectContaining({ subset_group_name: 'by lasso', cells }),
    ),
  );
  await waitFor(() => expect(first.address()).toBe(`${here}&link=4Hq2mZt8WcXa&subset=${id}`));
  first.unmount();

  const again = explorerFake();
  again.answer('/api/links/4Hq2mZt8WcXa', leadsTo(here, subset));
  renderApp(first.address(), again);
  await waitFor(() => expect(again.sent(paths.filter)).toContainEqual(expect.objectContaining({ cells })));
});

test('an address whose subset is not to be had says that all cells are shown', async () => {
  const fake = explorerFake();
  renderApp(`${here}&subset=d8f1ad2e-6a57-4f4b-9a5e-0c6a8d1e7b11`, fake);
  expect(
    await screen.findByText(/was deleted or belongs to someone else: all cells are shown/),
  ).toBeVisible();
});

test('a signed-out user signs in first, and is redirected', async () => {
  const fake = explorerFake();
  fake.answer('/api/links/4Hq2mZt8WcXa', leadsTo(here));
  fake.auth.signOut();
  const { address } = renderApp(short, fake);
  await screen.findByRole('tab', { name: 'Sign In' });
  expect(
    screen.getByText(
      'Please sign in to open the view that the link leads to. You will return there after signing in.',
    ),
  ).toBeVisible();
  expect(fake.requests.filter(({ path }) => path.startsWith('/api/links'))).toEqual([]);
  act(() => fake.auth.signIn());
  await search();
  expect(address()).toContain(here);
});

test('a link that is unknown or deleted says so, with a way on', async () => {
  const fake = explorerFake();
  fake.answer('/api/links', () => json({ code: 'link_not_found', message: 'No such link.' }, 404));
  renderApp(short, fake);
  expect(await screen.findByRole('heading', { name: 'Link Not Found' })).toBeVisible();
  expect(screen.getByText(/Ask for a new one/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Select Dataset' })).toHaveAttribute('href', '/dataset-selector');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a link that could not be looked up is requested again', async () => {
  const fake = explorerFake();
  fake.answer('/api/links', () => json({ code: 'unavailable', message: 'Down.' }, 503));
  const { user, address } = renderApp(short, fake);
  const again = await screen.findByRole('button', { name: 'Try again' });
  fake.answer('/api/links', leadsTo(here));
  await user.click(again);
  await search();
  expect(address()).toContain(here);
});

test.each(['https://elsewhere.example/', '//elsewhere.example/explorer?dataset=d', '/account'])(
  'an answer that is no address of the explorer leads nowhere: %s',
  async (target) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const fake = explorerFake();
    fake.answer('/api/links', leadsTo(target));
    const { address } = renderApp(short, fake);
    expect(await screen.findByRole('heading', { name: 'Link Not Opened' })).toBeVisible();
    expect(address()).toBe(short);
  },
);
