import { act, screen, waitFor, within } from '@testing-library/react';
import { toast } from 'sonner';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRecentDatasets } from '@/features/recent-datasets/recent-datasets.ts';
import { datasetAnalysis, fakeServices, genePlot, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { setScreenWidth } from '@/testing/screen.ts';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, here, paths } from './explorer.fixture.ts';

let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake();
});

const search = () => screen.findByRole('combobox', { name: 'Search genes' });
const visualize = () => screen.getByRole('button', { name: /^Visualize Selected Genes/ });
const plotRequests = () => fake.sent(paths.gene);
const chips = () =>
  within(screen.getByRole('list', { name: 'Selected genes' }))
    .getAllByRole('listitem')
    .map((chip) => chip.textContent);
const viewerTitles = () =>
  within(screen.getByRole('region', { name: 'Main Viewer' }))
    .queryAllByRole('heading')
    .map((heading) => heading.textContent);

describe('the states of the explorer', () => {
  test('M27 waits for the session', async () => {
    renderApp(here, fakeServices());
    expect(await screen.findByRole('heading', { name: 'Authenticating' })).toBeVisible();
  });

  test('M28 goes to sign-in without a session, and when it ends', async () => {
    const { address } = renderApp(here, fake);
    await search();
    act(() => fake.auth.signOut());
    await screen.findByRole('tab', { name: 'Sign In' });
    expect(address()).toBe('/auth');
  });

  test('M28 an ended trial raises a notice and leads to pricing', async () => {
    fake.answer('/api/dataset_analysis', () => json({ code: 'trial_expired', message: 'Ended.' }, 403));
    const other = '/explorer?disease=Breast+Cancer&dataset=tumour_two';
    const { address } = renderApp(other, fake);
    expect(await screen.findByText('Free Trial Expired')).toBeInTheDocument();
    await waitFor(() => expect(address()).toBe('/pricing?trial_expired=true'));
  });

  test('M27 without a dataset offers to select one and asks nothing of the server', async () => {
    renderApp('/explorer', fake);
    expect(await screen.findByRole('heading', { name: 'No Dataset Selected' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Select Dataset' })).toHaveAttribute('href', '/dataset-selector');
    expect(screen.getByRole('link', { name: 'Upload Your Data' })).toHaveAttribute('href', '/upload-data');
    expect(fake.requests.filter(({ path }) => path.startsWith('/api/'))).toEqual([]);
  });

  test('M27 while a dataset loads, an overlay names disease and dataset', async () => {
    fake.answer('/api/dataset_analysis/tumour_one', () => new Promise(() => {}));
    renderApp(here, fake);
    await screen.findByRole('heading', { name: 'Loading Dataset' });
    const overlay = screen.getByRole('status');
    expect(overlay).toHaveTextContent('Breast Cancer');
    await waitFor(() => expect(overlay).toHaveTextContent('Tumour one'));
  });

  test('M27 a dataset that cannot be opened says why, and offers another or a refresh', async () => {
    fake.answer('/api/dataset_analysis/tumour_one', () =>
      json({ code: 'unknown_dataset', message: 'It is gone.' }, 404),
    );
    renderApp(here, fake);
    expect(await screen.findByRole('heading', { name: 'Dataset Loading Failed' })).toBeVisible();
    expect(screen.getByText(/Failed to fetch dataset analysis/)).toBeVisible();
    expect(screen.getByText('404 - It is gone.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Select Different Dataset' })).toHaveAttribute(
      'href',
      '/dataset-selector',
    );
    expect(screen.getByRole('button', { name: 'Refresh Page' })).toBeEnabled();
    expect(readRecentDatasets()).toEqual([]);
  });

  test('M27 below 768 px a desktop is required; at 768 px it is not', async () => {
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

  test('M27 M46 the main view shows the dataset, remembers it, and shows the warnings of its import', async () => {
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

  test('M20 M27 the disease is the one of the catalogue, not what the address claims', async () => {
    renderApp('/explorer?disease=Made+up&dataset=tumour_one', fake);
    await search();
    expect(screen.queryByText(/Made up/)).toBeNull();
    const card = screen.getByRole('region', { name: 'Current Dataset' });
    expect(within(card).getByText('Breast Cancer')).toBeVisible();
    expect(within(screen.getByRole('banner')).getByText('Breast Cancer /')).toBeVisible();
    expect(readRecentDatasets()).toMatchObject([{ disease: 'Breast Cancer', dataset: 'tumour_one' }]);
  });

  test('M27 a dataset opens under the disease of its address when the catalogue cannot be read', async () => {
    fake.answer('/api/dataset_metadata', () => json({ code: 'internal_error', message: 'Boom' }, 500));
    renderApp(here, fake);
    await search();
    expect(readRecentDatasets()).toMatchObject([{ disease: 'Breast Cancer', dataset: 'tumour_one' }]);
  });

  test('M48 coming back to a dataset opens it on the server again', async () => {
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

describe('Gene Visualization', () => {
  test('M30 suggestions are chosen with arrows and Enter, and closed with Escape', async () => {
    const { user } = renderApp(here, fake);
    const box = await search();
    expect(screen.queryByRole('listbox')).toBeNull();
    await user.type(box, 'cd');
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'CD3D',
      'CD3E',
      'CD79A',
    ]);
    expect(box).toHaveAttribute('aria-expanded', 'true');
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}');
    const active = screen.getByRole('option', { name: 'CD3E' });
    expect(active).toHaveAttribute('aria-selected', 'true');
    expect(box).toHaveAttribute('aria-activedescendant', active.id);
    await user.keyboard('{Enter}');
    expect(chips()).toEqual(['CD3E']);
    expect(box).toHaveValue('');
    await user.type(box, 'cd');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(box).toHaveValue('cd');
  });

  test('M30 a suggestion is chosen with the mouse, and a chip removed with its button', async () => {
    const { user } = renderApp(here, fake);
    await user.type(await search(), 'st');
    await user.click(screen.getByRole('option', { name: 'CST3' }));
    expect(chips()).toEqual(['CST3']);
    expect(visualize()).toHaveTextContent('Visualize Selected Genes (1)');
    await user.click(screen.getByRole('button', { name: 'Remove CST3' }));
    expect(screen.queryByRole('list', { name: 'Selected genes' })).toBeNull();
    expect(visualize()).toBeDisabled();
  });

  test('M30 Enter adds genes parted by commas; those not in the dataset stay in the box and are named', async () => {
    const { user } = renderApp(here, fake);
    const box = await search();
    await user.type(box, ' cst3, ms4a1 ,nope,CST3{Enter}');
    expect(chips()).toEqual(['CST3', 'Ms4a1']);
    expect(box).toHaveValue('NOPE');
    expect(box).toHaveAccessibleDescription('Not in this dataset: NOPE');
  });

  test('M30 a very long name that is not in the dataset is shown cut', async () => {
    const { user } = renderApp(here, fake);
    const box = await search();
    await user.click(box);
    await user.paste('X'.repeat(400));
    await user.keyboard('{Enter}');
    expect(box).toHaveAccessibleDescription(`Not in this dataset: ${'X'.repeat(39)}…`);
  });

  test('M30 more genes than one call takes are not sent, and the page says how many to remove', async () => {
    fake.services.config.limits.genesPerCall = 2;
    const { user } = renderApp(here, fake);
    const box = await search();
    await user.type(box, 'CST3,CD79A,CD3D{Enter}{Enter}');
    expect(visualize()).toBeDisabled();
    expect(visualize()).toHaveAccessibleDescription('At most 2 genes can be plotted at once; remove 1.');
    expect(plotRequests()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Remove CD3D' }));
    expect(visualize()).toBeEnabled();
    expect(screen.queryByText(/can be plotted at once/)).toBeNull();
  });

  test('M30 the UMAP box is ticked and fixed; the button waits for a gene and says when it works', async () => {
    let release: (response: Response) => void = () => {};
    fake.answer(paths.gene, () => new Promise((resolve) => (release = resolve)));
    const { user } = renderApp(here, fake);
    const box = await search();
    const umap = screen.getByRole('checkbox', { name: 'Generate UMAP' });
    expect(umap).toBeChecked();
    expect(umap).toBeDisabled();
    expect(
      screen.getByRole('checkbox', { name: 'Generate Expression by Cell Type Violin Plot' }),
    ).not.toBeChecked();
    expect(visualize()).toBeDisabled();
    await user.type(box, 'CST3{Enter}');
    await user.click(visualize());
    expect(screen.getByRole('button', { name: 'Generating...' })).toBeDisabled();
    expect(screen.getByText('Generating Gene UMAP')).toBeInTheDocument();
    release(json({ plots: [genePlot('CST3')], found_genes: ['CST3'], not_found_genes: [] }));
    await waitFor(() => expect(visualize()).toBeEnabled());
    expect(screen.queryByText('Generating Gene UMAP')).toBeNull();
  });

  test('M30 M31 a run puts its images into viewer and library and lists what was found and what was not', async () => {
    const { user } = renderApp(here, fake);
    await user.type(await search(), 'CST3,CD3E{Enter}');
    await user.click(screen.getByRole('checkbox', { name: /Violin Plot/ }));
    await user.click(visualize());
    expect(await screen.findByText('Found: CST3')).toBeVisible();
    expect(screen.getByText('Not found: CD3E')).toBeVisible();
    expect(plotRequests()).toEqual([{ genes: ['CST3', 'CD3E'], violin_plot: true }]);
    expect(await screen.findByText('Gene UMAP Generated')).toBeInTheDocument();
    expect(viewerTitles()).toEqual([
      'CST3Expression UMAP',
      'CST3Expression by cell type',
      'Cell typesFull dataset UMAP',
    ]);
    expect(screen.getByText(/3 images/)).toBeVisible();
  });

  test('M42 plots that exist are not generated again, only the new ones are', async () => {
    const { user } = renderApp(here, fake);
    const box = await search();
    await user.type(box, 'CST3{Enter}{Enter}');
    await screen.findByText('Found: CST3');
    await user.click(visualize());
    expect(await screen.findByText('Images Already Generated')).toBeInTheDocument();
    expect(plotRequests()).toHaveLength(1);
    await user.type(box, 'CD79A{Enter}');
    await user.click(visualize());
    expect(await screen.findByText('Found: CST3, CD79A')).toBeVisible();
    expect(plotRequests()[1]).toEqual({ genes: ['CD79A'], violin_plot: false });
  });

  test('M42 asking for violins of a gene whose UMAP exists adds and counts only the violin', async () => {
    const { user } = renderApp(here, fake);
    await user.type(await search(), 'CST3{Enter}{Enter}');
    expect(await screen.findByText('1 image for CST3.')).toBeInTheDocument();
    act(() => void toast.dismiss());
    await waitFor(() => expect(screen.queryByText('1 image for CST3.')).toBeNull());
    await user.click(screen.getByRole('checkbox', { name: /Violin Plot/ }));
    await user.click(visualize());
    await waitFor(() => expect(plotRequests()).toHaveLength(2));
    expect(await screen.findByText(/^3 images/)).toBeVisible();
    expect(viewerTitles()).toEqual([
      'CST3Expression by cell type',
      'CST3Expression UMAP',
      'Cell typesFull dataset UMAP',
    ]);
    expect(await screen.findByText('1 image for CST3.')).toBeInTheDocument();
  });

  test('M40 M44 a run past thirty images names three genes and says how many older images were dropped', async () => {
    const genes = Array.from({ length: 40 }, (_, n) => `G${n}`);
    fake.answer('/api/dataset_analysis/tumour_one', () => json(datasetAnalysis({ gene_library: genes })));
    const { user } = renderApp(here, fake);
    await user.click(await search());
    await user.paste(genes.join(' '));
    await user.click(visualize());
    expect(
      await screen.findByText(
        '30 images for G0, G1, G2 and 37 more. The library keeps the newest 30 images; 10 older ones were dropped.',
      ),
    ).toBeInTheDocument();
    expect(screen.getByText(/^31 images/)).toBeVisible();
  });

  test('M52 a server that lost the dataset asks for a refresh', async () => {
    fake.answer(paths.gene, () => json({ code: 'no_dataset_loaded', message: 'No dataset loaded.' }, 400));
    const { user } = renderApp(here, fake);
    await user.type(await search(), 'CST3{Enter}{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'No dataset loaded on the server. Please refresh the page to reload your selected dataset and try again.',
    );
  });

  test('M44 any other failure raises the notice, says why, and keeps genes and images', async () => {
    fake.answer(paths.gene, () => json({ code: 'internal_error', message: 'Boom' }, 500));
    const { user } = renderApp(here, fake);
    await user.type(await search(), 'CST3{Enter}{Enter}');
    expect(
      await screen.findByText('Failed to generate gene UMAP plots. Please try again.'),
    ).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('Failed to generate gene UMAP plots: 500 - Boom');
    expect(chips()).toEqual(['CST3']);
    expect(viewerTitles()).toHaveLength(1);
  });

  test('cancelling, and leaving the page, end the request without a notice', async () => {
    fake.answer(
      paths.gene,
      ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const { user, unmount } = renderApp(here, fake);
    await user.type(await search(), 'CST3{Enter}{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    const signals = () =>
      fake.requests.filter(({ path }) => path === paths.gene).map(({ signal }) => signal?.aborted);
    expect(signals()).toEqual([true]);
    await waitFor(() => expect(visualize()).toBeEnabled());
    expect(screen.queryByText('Error')).toBeNull();
    await user.click(visualize());
    await waitFor(() => expect(signals()).toEqual([true, false]));
    unmount();
    expect(signals()).toEqual([true, true]);
  });
});

describe('viewer and library', () => {
  test('M40 M41 four images fill the viewer; removing makes room; deleting is not offered for the default', async () => {
    const { user } = renderApp(here, fake);
    await user.type(await search(), 'CST3,CD79A,CD3D,MS4A1{Enter}{Enter}');
    await screen.findByText(/^Found:/);
    expect(viewerTitles()).toHaveLength(4);
    expect(screen.getByRole('button', { name: 'Viewer Full' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: /^Delete Cell types/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Remove CST3, Expression UMAP from viewer' }));
    expect(viewerTitles()).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Select Cell types, Full dataset UMAP' }));
    expect(viewerTitles().at(-1)).toBe('Cell typesFull dataset UMAP');
    await user.click(screen.getByRole('button', { name: 'Delete CD79A, Expression UMAP' }));
    expect(await screen.findByText('Image Deleted')).toBeInTheDocument();
    expect(viewerTitles()).toHaveLength(3);
    expect(screen.queryByText('Page 1 of 2')).toBeNull();
  });

  test('M41 a click opens a figure large', async () => {
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

  test('M41 closing the large figure, by key or button, gives the focus back to what opened it', async () => {
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
