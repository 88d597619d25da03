import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fakeTable } from '@/testing/fake-table.ts';
import { catalogueDataset, genePlot, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, here, imageRow, paths, search, subsetRow } from './explorer.fixture.ts';

const upload = 'c0ffee00-1234-4567-89ab-000000000000';
let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake();
  const melanoma = catalogueDataset({ dataset_filename: 'melanoma.h5ad', name: 'Cutaneous melanoma' });
  fake.answer('/api/dataset_metadata', () =>
    json({ 'Breast Cancer': { Ductal: [catalogueDataset()] }, Melanoma: { Skin: [melanoma] } }),
  );
  fakeTable(fake, 'user_files', [{ id: upload, file_name: 'Patient 7', original_filename: 'a.h5ad' }]);
});

const library = () => within(screen.getByRole('region', { name: 'Image Library' }));
const viewer = () => within(screen.getByRole('region', { name: 'Main Viewer' }));
const cards = () =>
  viewer()
    .getAllByRole('listitem')
    .map((card) => card.querySelector('p')?.textContent);

const ofTypes = (...cell_type: string[]) => ({
  dataset_filename: 'tumour_one',
  version: '1',
  subset: { subset_group_name: 'T cells', cell_type_filter: true, cell_type },
  content: { kind: 'gene-umap', gene: 'CD3D' },
});
const tCells = { subset_group_name: 'T cells', cell_count: 274, figure_source: ofTypes('t-cell') };

test('a card says dataset and cells; a figure counts its cells itself, and the image keeps the number', async () => {
  fake.answer(paths.gene, () => {
    const umap = { ...genePlot('CD3D'), figure: { counts: { cells: 699 } } };
    return json({ plots: [umap, genePlot('CD3D', 'violin')], found_genes: ['CD3D'], not_found_genes: [] });
  });
  const { user } = renderApp(here, fake);
  await user.type(await search(), 'CD3D{Enter}{Enter}');
  await screen.findByText(/^Found:/);
  expect(cards()).toEqual([
    'Tumour one · all 699 cells',
    'Tumour one · all 700 cells',
    'Tumour one · all 700 cells',
  ]);
  await waitFor(() => expect(fake.images.map(({ cell_count }) => cell_count)).toEqual([700, 699]));
});

test('a violin of a subset counts the cells that the server counted for its filter, and no others', async () => {
  fake.subsets.push(subsetRow());
  fake.answer(paths.gene, () => {
    const plot = genePlot('CD3D', 'violin');
    const source = { ...plot.source, subset: ofTypes('t-cell').subset };
    const other = { ...plot.source, subset: ofTypes('b-cell').subset };
    const plots = [
      { ...plot, source },
      { ...plot, source: other },
    ];
    return json({ plots, found_genes: ['CD3D'], not_found_genes: [] });
  });
  const { user } = renderApp(here, fake);
  await search();
  await user.click(await screen.findByRole('combobox', { name: 'Cell subset' }));
  await user.click(await screen.findByRole('option', { name: 'T cells' }));
  await screen.findByText('120 of 700 cells active');
  await user.type(await search(), 'CD3D{Enter}{Enter}');
  await screen.findByText(/^Found:/);
  expect(cards()).toEqual([
    'Tumour one · 120 cells',
    'Tumour oneChangedSubset changed since',
    'Tumour one · all 700 cells',
  ]);
});

test('images of other datasets are called by the names of the catalogue and of uploads', async () => {
  fake.images.push(
    imageRow('skin', { dataset_name: 'melanoma.h5ad', disease_name: 'Melanoma', cell_count: 12_400 }),
    imageRow('own', { dataset_name: `custom:${upload}`, disease_name: 'Custom Data' }),
    imageRow('lost', { dataset_name: 'gone.h5ad', disease_name: 'Melanoma' }),
  );
  renderApp(here, fake);
  expect(await screen.findByText('Cutaneous melanoma')).toBeVisible();
  expect(library().getByText(/^all 12,400 cells · /)).toBeVisible();
  expect(await screen.findByText('Patient 7')).toBeVisible();
  expect(library().getByText('gone')).toBeVisible();
  expect(cards()).toEqual(['Tumour one · all 700 cells']);
  expect(
    library().getByRole('button', { name: 'Select skin, Expression UMAP, Cutaneous melanoma' }),
  ).toBeEnabled();
});

test('an image whose subset was changed says so on its card and in a sentence when it is open', async () => {
  fake.subsets.push(subsetRow());
  fake.images.push(
    imageRow('before', { ...tCells, figure_source: ofTypes('b-cell', 't-cell'), cell_count: 5525 }),
    imageRow('now', tCells),
  );
  const { user } = renderApp(here, fake);
  await search();
  const sentence = 'The subset “T cells” has a new filter: this figure shows the cells of the previous one.';
  expect(await viewer().findByTitle(sentence)).toHaveTextContent('Subset changed since');
  expect(library().getByTitle(sentence)).toBeVisible();
  expect(cards()).toContain('Tumour one · 274 cells');
  await user.click(screen.getByRole('button', { name: 'Open before, Expression UMAP, T cells large' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'before' }));
  expect(dialog.getByText('Expression UMAP · Tumour one · T cells · 5,525 cells')).toBeVisible();
  expect(dialog.getByText(sentence)).toBeVisible();
});

test('the subsets of other datasets are requested once, and only where an image is of one', async () => {
  const elsewhere = { dataset_name: 'melanoma.h5ad', disease_name: 'Melanoma' };
  // The same name, on the dataset that is open.
  fake.subsets.push(subsetRow());
  fake.images.push(imageRow('skin', { ...tCells, ...elsewhere }), imageRow('whole', elsewhere));
  renderApp(here, fake);
  await search();
  expect(await library().findByTitle(/^This dataset has no saved subset “T cells”/)).toHaveTextContent(
    'Subset deleted',
  );
  const metadataRequests = fake.requests.filter(({ path }) => path.startsWith('/rest/v1/subset_metadata'));
  expect(
    metadataRequests.map(({ path }) => new URL(path, 'http://a.test').searchParams.get('dataset_name')),
  ).toEqual(['eq.tumour_one', 'in.(melanoma.h5ad)']);
});
