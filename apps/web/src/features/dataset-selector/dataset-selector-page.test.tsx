import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { rememberDataset } from '@/features/recent-datasets/recent-datasets.ts';
import { catalogueDataset, fakeServices, json } from '@/testing/fakes.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { groupDatasets } from './group-datasets.ts';

const catalogue = {
  'Breast Cancer': {
    Ductal: [
      catalogueDataset(),
      catalogueDataset({
        dataset_filename: 'tumour_two',
        name: 'Tumour two',
        simulated: false,
        gse_accession_number: 'GSE12345',
        patient_count: 7,
        stage: 'II',
        treatment: 'None',
        lymph_node_status: 'Positive',
        disease_type: 'Carcinoma',
        patient_metadata: { age_group: ['40-49', '50-59'], sex: 'Female' },
      }),
    ],
    'Triple negative': [catalogueDataset({ dataset_filename: 'tnbc' })],
  },
  Blood: { PBMC: [] },
};

let fake: FakeServices;
beforeEach(() => {
  fake = fakeServices();
  fake.auth.signOut();
  fake.answer('/api/dataset_metadata', () => json(catalogue));
});

const button = (name: string | RegExp) => screen.findByRole('button', { name });

describe('the dataset selector', () => {
  test('M17 an accordion of diseases lists sub-diseases with the number of their datasets', async () => {
    const { user } = renderApp('/dataset-selector', fake);
    const disease = await button('Breast Cancer');
    expect(disease).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByText(/Ductal/)).toBeNull();
    await user.click(disease);
    await user.click(await button('Blood'));
    expect(await button('Ductal (2 datasets)')).toBeVisible();
    expect(await button('Triple negative (1 dataset)')).toBeVisible();
    expect(await button('PBMC (0 datasets)')).toBeVisible();
  });

  test('M17 says that diseases are loading, that loading failed, and that there are none', async () => {
    let release: (response: Response) => void = () => {};
    fake.answer('/api/dataset_metadata', () => new Promise((resolve) => (release = resolve)));
    const { user } = renderApp('/dataset-selector', fake);
    expect(await screen.findByText('Loading diseases...')).toBeVisible();
    release(json({ code: 'x', message: 'boom' }, 500));
    expect(await screen.findByText('Error loading diseases: Failed to fetch dataset metadata')).toBeVisible();
    fake.answer('/api/dataset_metadata', () => json({}));
    await user.click(await button('Try again'));
    expect(await screen.findByText('No diseases available')).toBeVisible();
  });

  test('M18 M19 choosing a dataset shows every field of it, and Explore Dataset goes to it', async () => {
    const { user } = renderApp('/dataset-selector', fake);
    expect(await screen.findByRole('link', { name: 'Explore Dataset' })).toHaveAttribute('href', '/explorer');
    await user.click(await button('Breast Cancer'));
    await user.click(await button('Ductal (2 datasets)'));
    expect(screen.getByRole('heading', { name: 'Breast Cancer Datasets' })).toBeVisible();
    await user.click(await button(/tumour_two/));

    const preview = screen.getByRole('region', { name: 'Dataset Preview' });
    const fields = Object.fromEntries(
      within(preview)
        .getAllByRole('term')
        .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );
    expect(fields).toEqual({
      Cells: '12,400',
      Genes: '2,000',
      'GSE Accession Number': 'GSE12345',
      'Patient Count': '7',
      Stage: 'II',
      Treatment: 'None',
      'Lymph Node Status': 'Positive',
      'Disease Type': 'Carcinoma',
      'Age Group': '40-49, 50-59',
      Sex: 'Female',
    });
    expect(within(preview).getByRole('link', { name: /GSE12345/ })).toHaveAttribute(
      'href',
      'https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE12345',
    );
    expect(within(preview).getByRole('img', { name: /UMAP of Tumour two/ })).toHaveAttribute(
      'src',
      'http://cellfolio.test/umap/tumour_one.png',
    );
    expect(within(preview).queryByText('Simulated')).toBeNull();
    expect(screen.getByRole('link', { name: 'Explore Dataset' })).toHaveAttribute(
      'href',
      '/explorer?disease=Breast+Cancer&dataset=tumour_two',
    );

    await user.click(await button(/tumour_one/));
    expect(within(preview).getByText('Simulated')).toBeVisible();
  });

  test('M18 a dataset without a description shows its name in its place', async () => {
    const bare = catalogueDataset({
      dataset_filename: 'pbmc3k',
      name: 'Blood of one donor',
      description: ' ',
    });
    fake.answer('/api/dataset_metadata', () => json({ Blood: { PBMC: [bare] } }));
    const { user } = renderApp('/dataset-selector', fake);
    await user.click(await button('Blood'));
    await user.click(await button('PBMC (1 dataset)'));
    expect(await button(/^pbmc3k.*Blood of one donor$/)).toBeVisible();
  });

  test('M18 datasets are grouped by category1, then category2', () => {
    const entry = (dataset_filename: string, category1: string, category2: string) =>
      catalogueDataset({ dataset_filename, category1, category2 });
    const groups = groupDatasets([
      entry('a', 'Tumour', 'x'),
      entry('b', 'Node', 'x'),
      entry('c', 'Tumour', 'y'),
      entry('d', 'Tumour', 'x'),
    ]);
    expect(
      groups.map(({ category1, groups }) => [
        category1,
        groups.map(({ category2, datasets }) => [
          category2,
          datasets.map((dataset) => dataset.dataset_filename),
        ]),
      ]),
    ).toEqual([
      [
        'Tumour',
        [
          ['x', ['a', 'd']],
          ['y', ['c']],
        ],
      ],
      ['Node', [['x', ['b']]]],
    ]);
  });

  test('M20 recently selected datasets are listed for signed-in users only, each opening the explorer', async () => {
    rememberDataset({
      disease: 'Breast Cancer',
      dataset: 'tumour_two',
      timestamp: Date.now() - 3 * 3_600_000,
    });
    rememberDataset({ disease: 'Gone', dataset: 'deleted', timestamp: Date.now() });
    const { unmount } = renderApp('/dataset-selector', fake);
    await button('Breast Cancer');
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/auth');
    expect(screen.queryByText('Recently Selected')).toBeNull();
    unmount();

    fake.auth.signIn();
    renderApp('/dataset-selector', fake);
    await button('Breast Cancer');
    const recent = await screen.findByRole('region', { name: 'Recently Selected' });
    const links = within(recent).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/explorer?disease=Gone&dataset=deleted',
      '/explorer?disease=Breast+Cancer&dataset=tumour_two',
    ]);
    expect(links[0]).toHaveTextContent('Just now');
    expect(links[1]).toHaveTextContent('3h ago');
    expect(links[1]).toHaveTextContent('Seven tumours before treatment.');
  });

  test('M20 a recent dataset is listed once, under the disease of the catalogue, and by name if not described', async () => {
    const bare = catalogueDataset({
      dataset_filename: 'pbmc3k',
      name: 'Blood of one donor',
      description: '',
    });
    fake.answer('/api/dataset_metadata', () => json({ Healthy: { PBMC: [bare] } }));
    rememberDataset({ disease: 'Healthy', dataset: 'pbmc3k', timestamp: Date.now() - 3_600_000 });
    rememberDataset({ disease: 'Made up', dataset: 'pbmc3k', timestamp: Date.now() });
    fake.auth.signIn();
    renderApp('/dataset-selector', fake);
    await button('Healthy');
    const recent = await screen.findByRole('region', { name: 'Recently Selected' });
    const link = within(recent).getByRole('link');
    expect(link).toHaveAttribute('href', '/explorer?disease=Healthy&dataset=pbmc3k');
    expect(link).toHaveTextContent('Just now');
    expect(within(link).getByText('Healthy · Blood of one donor')).toBeVisible();
  });
});
