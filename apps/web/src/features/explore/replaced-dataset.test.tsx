import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Row } from '@/testing/fake-table.ts';
import { catalogueDataset, datasetAnalysis, genePlot, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { isReplacedSince, listedVersion } from './dataset-version.ts';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, here, imageRow, paths, search, visualize } from './explorer.fixture.ts';

const listed = (version: string) => ({ umap_url: `/api/datasets/tumour_one/umap.png?version=${version}` });

let fake: ExplorerFake;
let version: string;
beforeEach(() => {
  fake = explorerFake();
  version = '1';
  const refused = () => json({ code: 'dataset_changed', message: 'It was replaced.' }, 409);
  fake.answer('/api/dataset_metadata', () =>
    json({ 'Breast Cancer': { Ductal: [catalogueDataset(listed(version))] } }),
  );
  let opened = '';
  fake.answer('/api/dataset_analysis/tumour_one', () => {
    opened = version;
    return json(datasetAnalysis({ version, cell_count: version === '1' ? 700 : 555 }));
  });
  fake.answer(paths.gene, ({ body }) => {
    if (opened !== version) return refused();
    const { genes } = body as { genes: string[] };
    const plots = genes.map((gene) => {
      const plot = genePlot(gene);
      return { ...plot, source: { ...plot.source, version } };
    });
    return json({ plots, found_genes: genes, not_found_genes: [] });
  });
  fake.answer('/api/render-figure', ({ body }) => {
    const { source } = body as { source: { version?: string } };
    if (source.version !== undefined && source.version !== version) return refused();
    return new Response(new Blob(['png'], { type: 'image/png' }));
  });
});

const viewer = () => within(screen.getByRole('region', { name: 'Main Viewer' }));
const ofEarlier = /^Drawn from the data of \d+ \w+; the dataset has been replaced since\.$/;
const geneRequests = () => fake.sent(paths.gene);

async function openWithFigure() {
  const page = renderApp(here, fake);
  await page.user.type(await search(), 'CST3{Enter}{Enter}');
  await viewer().findByRole('heading', { name: /^CST3/ });
  await waitFor(() => expect(fake.images).toHaveLength(1));
  return page;
}

test('a figure of a version that was replaced is not taken as generated; one click opens the new one and draws', async () => {
  const { user } = await openWithFigure();
  version = '2';
  await user.click(visualize());
  const reload = await screen.findByRole('button', { name: 'Reload dataset and try again' });
  expect(screen.queryByText('Images Already Generated')).toBeNull();
  expect(viewer().getByText(ofEarlier)).toBeVisible();
  await user.click(reload);
  await waitFor(() => expect(viewer().getAllByRole('heading', { name: /^CST3/ })).toHaveLength(2));
  expect(geneRequests()).toHaveLength(3);
  expect(viewer().getAllByText(ofEarlier)).toHaveLength(1);
  // This version has it.
  await user.click(visualize());
  expect(await screen.findByText('Images Already Generated')).toBeInTheDocument();
  expect(geneRequests()).toHaveLength(3);
});

test('a focused window reports the new version; a card is redrawn in its place', async () => {
  const { user } = await openWithFigure();
  expect(viewer().queryByText(ofEarlier)).toBeNull();
  version = '2';
  const now = Date.now;
  Date.now = () => now() + 120_000;
  act(() => void window.dispatchEvent(new Event('focus')));
  expect(await screen.findByText(/^The dataset has been replaced since you opened it/)).toBeVisible();
  Date.now = now;
  expect(viewer().getByText(ofEarlier)).toBeVisible();
  const cards = () =>
    viewer()
      .getAllByRole('heading')
      .map((heading) => heading.textContent);
  const before = cards();
  await user.click(viewer().getByRole('button', { name: 'Redraw CST3, Expression UMAP' }));
  await waitFor(() => expect(viewer().queryByText(ofEarlier)).toBeNull());
  expect(cards()).toEqual(before);
  expect(screen.queryByText(/^The dataset has been replaced since you opened it/)).toBeNull();
  await waitFor(() => expect(fake.images).toHaveLength(2));
  expect(fake.images.map(({ figure_source }: Row) => (figure_source as { version: string }).version)).toEqual(
    expect.arrayContaining(['1', '2']),
  );
  const library = within(screen.getByRole('region', { name: 'Image Library' }));
  expect(library.getByText(/^data of /)).toBeVisible();
  expect(library.getByText('all 555 cells · Just now')).toBeVisible();
});

test('a notice gives the reason why a figure cannot be redrawn', async () => {
  fake.images.push(
    imageRow('old', {
      title: 'GONE',
      figure_source: {
        dataset_filename: 'tumour_one',
        version: '0',
        content: { kind: 'gene-umap', gene: 'GONE' },
      },
      cell_count: 700,
    }),
  );
  fake.answer('/api/render-figure', () => json({ code: 'unknown_gene', message: 'There is no GONE.' }, 422));
  const { user } = renderApp(here, fake);
  await search();
  await user.click(await viewer().findByRole('button', { name: 'Redraw GONE, Expression UMAP' }));
  expect(await screen.findByText('GONE, Expression UMAP could not be redrawn')).toBeInTheDocument();
  expect(screen.getByText('There is no GONE.')).toBeInTheDocument();
  expect(viewer().getByText(ofEarlier)).toBeVisible();
});

test('the catalogue reports a new version only where it was read after the dataset was opened', () => {
  const opened = { value: { version: 'a' }, at: 10 };
  expect(isReplacedSince(opened, { value: listedVersion(listed('b')), at: 11 })).toBe(true);
  expect(isReplacedSince(opened, { value: listedVersion(listed('b')), at: 9 })).toBe(false);
  expect(isReplacedSince(opened, { value: listedVersion(listed('a')), at: 11 })).toBe(false);
  expect(isReplacedSince(opened, { value: undefined, at: 11 })).toBe(false);
  expect(listedVersion({ umap_url: '/umap.png' })).toBeUndefined();
});
