import { act, screen, waitFor } from '@testing-library/react';
import { toast } from 'sonner';
import { beforeEach, describe, expect, test } from 'vitest';
import { datasetAnalysis, genePlot, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import type { ExplorerFake } from '../explorer.fixture.ts';
import { chips, explorerFake, here, paths, search, viewerTitles, visualize } from '../explorer.fixture.ts';
import { generatedText, placeText } from './run-outcome.tsx';

let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake();
});
const plotRequests = () => fake.sent(paths.gene);

describe('Gene Visualization', () => {
  test('more genes than one call takes are not sent, and the page says how many to remove', async () => {
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

  test('the UMAP box is ticked and fixed; the button waits for a gene, shows progress and keeps focus while map values load', async () => {
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
    expect(visualize()).toHaveTextContent('Visualize Selected Genes (1)');
    await user.click(visualize());
    const working = screen.getByRole('button', { name: 'Generating...' });
    expect(working).toHaveAttribute('aria-disabled', 'true');
    expect(working).toHaveFocus();
    await user.click(working);
    expect(screen.getByText('Generating Gene UMAP')).toBeInTheDocument();
    await waitFor(() =>
      expect(fake.requests.map(({ path }) => path)).toContainEqual(
        expect.stringMatching(/^\/api\/datasets\/tumour_one\/columns\/gene\/CST3/),
      ),
    );
    expect(plotRequests()).toHaveLength(1);
    release(json({ plots: [genePlot('CST3')], found_genes: ['CST3'], not_found_genes: [] }));
    await waitFor(() => expect(visualize()).toHaveAttribute('aria-disabled', 'false'));
    expect(visualize()).toHaveFocus();
    expect(plotRequests()).toHaveLength(1);
    expect(screen.queryByText('Generating Gene UMAP')).toBeNull();
    expect(viewerTitles().join()).toContain('CST3');
  });

  test('a run puts its images into viewer and library and lists what was found and what was not', async () => {
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
    expect(screen.getByText(/2 images and the default/)).toBeVisible();
  });

  test('plots that exist are not generated again, nor counted: only the violin of a gene whose UMAP exists, and new genes', async () => {
    const { user } = renderApp(here, fake);
    const box = await search();
    await user.type(box, 'CST3{Enter}{Enter}');
    expect(await screen.findByText('1 image for CST3.')).toBeInTheDocument();
    await user.click(visualize());
    expect(await screen.findByText('Images Already Generated')).toBeInTheDocument();
    expect(plotRequests()).toHaveLength(1);
    act(() => void toast.dismiss());
    await waitFor(() => expect(screen.queryByText('1 image for CST3.')).toBeNull());
    await user.click(screen.getByRole('checkbox', { name: /Violin Plot/ }));
    await user.click(visualize());
    await waitFor(() => expect(plotRequests()).toHaveLength(2));
    expect(await screen.findByText(/^2 images and the default/)).toBeVisible();
    expect(viewerTitles()).toEqual([
      'CST3Expression by cell type',
      'CST3Expression UMAP',
      'Cell typesFull dataset UMAP',
    ]);
    expect(await screen.findByText('1 image for CST3.')).toBeInTheDocument();
    await user.click(screen.getByRole('checkbox', { name: /Violin Plot/ }));
    await user.type(box, 'CD79A{Enter}');
    await user.click(visualize());
    expect(await screen.findByText('Found: CST3, CD79A')).toBeVisible();
    expect(plotRequests()[2]).toEqual({ genes: ['CD79A'], violin_plot: false });
  });

  test('a run past thirty images names three genes and says how many older images were dropped', async () => {
    const genes = Array.from({ length: 40 }, (_, n) => `G${n}`);
    fake.answer('/api/dataset_analysis/tumour_one', () => json(datasetAnalysis({ gene_library: genes })));
    const { user } = renderApp(here, fake);
    await user.click(await search());
    await user.paste(genes.join(' '));
    await user.click(visualize());
    expect(
      await screen.findByText(
        '30 images, 4 in the viewer and 26 in the library below it, for G0, G1, G2 and 37 more. The library keeps the newest 30 images; 10 older ones were dropped.',
      ),
    ).toBeInTheDocument();
    expect(screen.getByText(/^30 images and the default/)).toBeVisible();
    // Beside the genes it stays when the notice is gone.
    expect(
      screen.getByText('30 images. The viewer shows 4 of them; 26 more are in the library below.'),
    ).toBeVisible();
  });

  test('a server that lost the dataset asks for a refresh; any other failure raises the notice, says why, and keeps genes and images', async () => {
    fake.answer(paths.gene, () => json({ code: 'no_dataset_loaded', message: 'No dataset loaded.' }, 400));
    const { user } = renderApp(here, fake);
    await user.type(await search(), 'CST3{Enter}{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'No dataset loaded on the server. Please refresh the page to reload your selected dataset and try again.',
    );
    fake.answer(paths.gene, () => json({ code: 'internal_error', message: 'Boom' }, 500));
    await user.click(visualize());
    expect(
      await screen.findByText('Failed to generate gene UMAP plots. Please try again.'),
    ).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('Failed to generate gene UMAP plots: 500 - Boom');
    expect(chips()).toEqual(['CST3']);
    expect(viewerTitles()).toHaveLength(1);

    fake.answer(paths.gene, () =>
      json({ plots: [genePlot('CST3')], found_genes: ['CST3'], not_found_genes: [] }),
    );
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Gene UMAP Generated')).toBeInTheDocument();
    // It must not outlive the success.
    await waitFor(() =>
      expect(screen.queryByText('Failed to generate gene UMAP plots. Please try again.')).toBeNull(),
    );
  });

  test('genes that the dataset turns out to lack are named by the server, and listed as not found', async () => {
    const words = 'The dataset has none of the genes of the call: CD3E. Check their spelling.';
    const { user } = renderApp(here, fake);
    await user.type(await search(), 'CST3{Enter}{Enter}');
    await screen.findByText('Found: CST3');
    fake.answer(paths.gene, () => json({ code: 'no_genes_found', message: words }, 422));
    await user.type(await search(), 'CD3E{Enter}{Enter}');
    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent(`Failed to generate gene UMAP plots: 422 - ${words}`);
    expect(screen.getByText('Found: CST3')).toBeVisible();
    expect(screen.getByText('Not found: CD3E')).toBeVisible();
    expect(chips()).toEqual(['CST3', 'CD3E']);
  });

  test('a notice reports that images beyond the room of the viewer are in the library', () => {
    expect(placeText(4)).toBe('');
    expect(placeText(7)).toBe('The viewer shows 4 of them; 3 more are in the library below.');
    expect(generatedText({ added: 5, dropped: 0, keptCount: 30 }, ['CST3'])).toBe(
      '5 images, 4 in the viewer and 1 in the library below it, for CST3.',
    );
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
