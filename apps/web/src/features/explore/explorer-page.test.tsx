import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readRecentDatasets } from '@/features/catalogue/index.ts';
import { datasetAnalysis, fakeServices, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { setScreenWidth } from '@/testing/stand-ins.ts';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, here, search, viewerTitles } from './explorer.fixture.ts';

let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake();
});

describe('the states of the explorer', () => {
  test('waits for the session', async () => {
    renderApp(here, fakeServices());
    expect(await screen.findByRole('heading', { name: 'Authenticating' })).toBeVisible();
  });

  test('goes to sign-in without a session, and when it ends', async () => {
    const { address } = renderApp(here, fake);
    await search();
    act(() => fake.auth.signOut());
    await screen.findByRole('tab', { name: 'Sign In' });
    expect(address()).toBe('/auth');
    expect(
      screen.getByText('Please sign in to open the explorer. You will return there after signing in.'),
    ).toBeVisible();
    act(() => void fake.auth.signIn());
    await search();
    expect(address()).toMatch(here);
  });

  test('an ended trial raises a notice and leads to pricing', async () => {
    fake.answer('/api/dataset_analysis', () => json({ code: 'trial_expired', message: 'Ended.' }, 403));
    const other = '/explorer?disease=Breast+Cancer&dataset=tumour_two';
    const { address } = renderApp(other, fake);
    expect(await screen.findByText('Free Trial Expired')).toBeInTheDocument();
    await waitFor(() => expect(address()).toBe('/pricing?trial_expired=true'));
  });

  test('without a dataset offers to select one and sends no request', async () => {
    renderApp('/explorer', fake);
    expect(await screen.findByRole('heading', { name: 'No Dataset Selected' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Select Dataset' })).toHaveAttribute('href', '/dataset-selector');
    expect(screen.getByRole('link', { name: 'Upload Your Data' })).toHaveAttribute('href', '/upload-data');
    expect(fake.requests.filter(({ path }) => path.startsWith('/api/'))).toEqual([]);
  });

  test('while a dataset loads, an overlay names disease and dataset', async () => {
    fake.answer('/api/dataset_analysis/tumour_one', () => new Promise(() => {}));
    renderApp(here, fake);
    await screen.findByRole('heading', { name: 'Loading Dataset' });
    const overlay = screen.getByRole('status');
    expect(overlay).toHaveTextContent('Breast Cancer');
    await waitFor(() => expect(overlay).toHaveTextContent('Tumour one'));
  });

  test('a dataset that cannot be opened says why, and offers another or a refresh', async () => {
    fake.answer('/api/dataset_analysis/tumour_one', () =>
      json({ code: 'unknown_dataset', message: 'It is gone.' }, 404),
    );
    renderApp(here, fake);
    expect(await screen.findByRole('heading', { name: 'Dataset Loading Failed' })).toBeVisible();
    expect(screen.getByText(/Failed to fetch dataset analysis/)).toBeVisible();
    expect(screen.getByText('It is gone.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Select Different Dataset' })).toHaveAttribute(
      'href',
      '/dataset-selector',
    );
    expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeEnabled();
    expect(readRecentDatasets()).toEqual([]);
  });

  test('below 768 px a desktop is required; at 768 px it is not', async () => {
    setScreenWidth(767);
    const { unmount } = renderApp(here, fake);
    expect(await screen.findByRole('heading', { name: 'Desktop Required' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Browse Datasets' })).toHaveAttribute(
      'href',
      '/dataset-selector',
    );
    expect(screen.getByRole('link', { name: 'Return Home' })).toHaveAttribute('href', '/');
    unmount();
    setScreenWidth(768);
    renderApp(here, fake);
    await search();
  });

  test('a small window shows its notice instead of the sign-in check', async () => {
    setScreenWidth(767);
    renderApp(here, fakeServices());
    expect(await screen.findByRole('heading', { name: 'Desktop Required' })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Authenticating' })).toBeNull();
  });

  test('stored images are requested while the dataset opens, and none is shown before all are known', async () => {
    const [opened, listed] = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
    fake.answer('/api/dataset_analysis/tumour_one', () => opened.promise);
    fake.answer('/rest/v1/generated_images', () => listed.promise);
    renderApp(here, fake);
    await screen.findByRole('heading', { name: 'Loading Dataset' });
    await waitFor(() =>
      expect(fake.requests.filter(({ path }) => path.startsWith('/rest/v1/generated_images'))).toHaveLength(
        1,
      ),
    );
    opened.resolve(json(datasetAnalysis()));
    await search();
    expect(viewerTitles()).toEqual([]);
    listed.resolve(json([]));
    await waitFor(() => expect(viewerTitles()).toEqual(['Cell typesFull dataset UMAP']));
  });

  test('a page of 720 px in a window of 1440 px is zoomed, and needs no other screen', async () => {
    setScreenWidth(720, 1440);
    renderApp(here, fake);
    expect(await search()).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Desktop Required' })).toBeNull();
  });

  test('the main view shows the dataset, remembers it, and shows the warnings of its import', async () => {
    const warnings = [{ code: 'scaled', message: 'Only scaled values were found.' }];
    fake.answer('/api/dataset_analysis/tumour_one', () => json(datasetAnalysis({ warnings })));
    renderApp(here, fake);
    const card = await screen.findByRole('region', { name: 'Current Dataset' });
    for (const text of ['Breast Cancer', '700', 'Only scaled values were found.']) {
      expect(within(card).getByText(text)).toBeVisible();
    }
    expect(await within(card).findByText('Simulated')).toBeVisible();
    expect(viewerTitles()).toEqual(['Cell typesFull dataset UMAP']);
    expect(readRecentDatasets()).toMatchObject([{ disease: 'Breast Cancer', dataset: 'tumour_one' }]);
  });

  test('a link that is copied right after a change has the change', async () => {
    fake.answer('/api/links', ({ body }) => json({ ...(body as object), id: 'AbCdEfGhIjKl' }));
    const { user } = renderApp(here, fake);
    await search();
    await user.click(await screen.findByRole('button', { name: 'Density' }));
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    const sent = await waitFor(() => {
      const link = fake.requests.find(({ path }) => path === '/api/links');
      return (link!.body as { address: string }).address;
    });
    expect(new URL(sent, location.origin).searchParams.get('map')).toBe('{"density":true}');
  });

  test('a short link to what is shown is copied with one click, the whole address where there is none', async () => {
    vi.stubGlobal('isSecureContext', true);
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { user, address } = renderApp(here, fake);
    await search();
    fake.answer('/api/links', ({ body }) => json({ ...(body as object), id: '4Hq2mZt8WcXa' }));
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Copied to clipboard')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/l/4Hq2mZt8WcXa`);
    expect(fake.requests.find(({ path }) => path === '/api/links')?.body).toEqual({ address: address() });
    fake.answer('/api/links', () => json({ code: 'unavailable', message: 'Down.' }, 503));
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(location.origin + address()));
  });

  test('a dataset without an embedding says so where its map would be', async () => {
    const warnings = [{ code: 'no-embedding', message: 'The file holds no UMAP.' }];
    fake.answer('/api/dataset_analysis/tumour_one', () => json(datasetAnalysis({ warnings })));
    renderApp(here, fake);
    const viewer = await screen.findByRole('region', { name: 'Main Viewer' });
    expect(within(viewer).getByText(/This dataset has no UMAP/)).toBeVisible();
    expect(within(viewer).queryByRole('img')).toBeNull();
  });

  test('the disease is the one of the catalogue, not what the address claims', async () => {
    renderApp('/explorer?disease=Made+up&dataset=tumour_one', fake);
    await search();
    expect(screen.queryByText(/Made up/)).toBeNull();
    const card = screen.getByRole('region', { name: 'Current Dataset' });
    expect(within(card).getByText('Breast Cancer')).toBeVisible();
    expect(within(screen.getByRole('banner')).getByText('Breast Cancer /')).toBeVisible();
    expect(readRecentDatasets()).toMatchObject([{ disease: 'Breast Cancer', dataset: 'tumour_one' }]);
  });

  test('a dataset opens under the disease of its address when the catalogue cannot be read', async () => {
    fake.answer('/api/dataset_metadata', () => json({ code: 'internal_error', message: 'Boom' }, 500));
    renderApp(here, fake);
    await search();
    expect(readRecentDatasets()).toMatchObject([{ disease: 'Breast Cancer', dataset: 'tumour_one' }]);
  });

  test('coming back to a dataset opens it on the server again', async () => {
    const opened = () => fake.requests.filter(({ path }) => path.startsWith('/api/dataset_analysis')).length;
    const { user } = renderApp(here, fake);
    await search();
    expect(opened()).toBe(1);
    await user.click(screen.getByRole('link', { name: 'Change dataset' }));
    await user.click(await screen.findByRole('link', { name: /Tumour one/ }));
    await search();
    expect(opened()).toBe(2);
  });
});

describe('viewer and library', () => {
  test('four images fill the viewer; removing makes room; deleting is not offered for the default', async () => {
    const { user } = renderApp(here, fake);
    await user.type(await search(), 'CST3,CD79A,CD3D,MS4A1{Enter}{Enter}');
    await screen.findByText(/^Found:/);
    expect(viewerTitles()).toHaveLength(4);
    expect(screen.getByRole('button', { name: 'Viewer Full' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: /^Delete Cell types/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Hide CST3, Expression UMAP from viewer' }));
    expect(viewerTitles()).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Select Cell types, Full dataset UMAP' }));
    expect(viewerTitles().at(-1)).toBe('Cell typesFull dataset UMAP');
    await user.click(screen.getByRole('button', { name: 'Delete CD79A, Expression UMAP' }));
    expect(await screen.findByText('Image Deleted')).toBeInTheDocument();
    expect(viewerTitles()).toHaveLength(3);
    expect(screen.queryByText('Page 1 of 2')).toBeNull();
  });

  test('a click opens a figure large', async () => {
    const { user } = renderApp(here, fake);
    await user.click(await screen.findByRole('button', { name: 'Open Cell types, Full dataset UMAP large' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cell types' });
    expect(within(dialog).getByRole('img')).toHaveAttribute(
      'src',
      'http://cellfolio.test/umap/tumour_one.png',
    );
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('closing the large figure, by key or button, gives the focus back to what opened it', async () => {
    const { user } = renderApp(here, fake);
    const opener = await screen.findByRole('button', { name: 'Open Cell types, Full dataset UMAP large' });
    await user.click(opener);
    await screen.findByRole('dialog');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(opener).toHaveFocus());
    await user.keyboard('{Enter}');
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(opener).toHaveFocus());
  });
});
