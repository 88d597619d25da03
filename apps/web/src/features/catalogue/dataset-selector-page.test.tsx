import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeServices } from '@/testing/fakes.ts';
import { catalogueDataset, fakeServices, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { setScreenWidth } from '@/testing/stand-ins.ts';
import { groupDatasets } from './catalogue-entries.ts';
import { rememberDataset } from './recent-datasets.ts';
import { searchCatalogue } from './search.ts';
import { datasetsOf, stepOf } from './selection.ts';

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
  test('an accordion of diseases lists sub-diseases with the number of their datasets', async () => {
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

  test('says that diseases are loading, that loading failed, and that there are none', async () => {
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

  test('a dataset that cannot be read is shown as damaged with what to do, beside those that can', async () => {
    const message = 'The dataset "lost.h5ad" is damaged and cannot be opened: manifest.json: it is not JSON.';
    fake.answer('/api/damaged-datasets', () =>
      json({
        datasets: [
          { dataset_filename: 'lost.h5ad', message },
          {
            dataset_filename: 'torn.h5ad',
            name: 'Torn',
            disease: 'constructor',
            subdisease: '__proto__',
            message,
          },
        ],
      }),
    );
    renderApp('/dataset-selector', fake);
    const list = await screen.findByRole('region', { name: 'Damaged Datasets' });
    expect(within(list).getAllByText('Damaged')).toHaveLength(2);
    expect(within(list).getByText('lost.h5ad')).toBeVisible();
    expect(within(list).getByText('Torn · constructor · __proto__')).toBeVisible();
    expect(within(list).getAllByText(message)).toHaveLength(2);
    expect(await button('Breast Cancer')).toBeVisible();
  });

  test('no list of damaged datasets stands where there are none, and a failed request is reported', async () => {
    fake.answer('/api/damaged-datasets', () => json({ datasets: [] }));
    const { unmount } = renderApp('/dataset-selector', fake);
    expect(await button('Breast Cancer')).toBeVisible();
    expect(screen.queryByText(/damaged/i)).toBeNull();
    unmount();
    fake.answer('/api/damaged-datasets', () => json({ code: 'x', message: 'boom' }, 500));
    renderApp('/dataset-selector', fake);
    expect(await screen.findByText('Could not check for damaged datasets.')).toBeVisible();
  });

  test('diseases and sub-diseases may be called as the properties of every object', async () => {
    const named = catalogueDataset({ dataset_filename: 'named.h5ad' });
    fake.answer('/api/dataset_metadata', () =>
      json(
        Object.fromEntries(
          ['constructor', '__proto__', 'toString'].map((name) => [
            name,
            Object.fromEntries([[name, [named]]]),
          ]),
        ),
      ),
    );
    const { user } = renderApp('/dataset-selector', fake);
    for (const name of ['constructor', '__proto__', 'toString']) {
      await user.click(await button(name));
      await user.click(await button(`${name} (1 dataset)`));
      expect(screen.getByRole('heading', { name: `${name} Datasets` })).toBeVisible();
    }
  });

  test('choosing a dataset shows every field of it, and Explore Dataset goes to it', async () => {
    const { user } = renderApp('/dataset-selector', fake);
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

  test('a dataset is listed by its name, with its file name and its description', async () => {
    const bare = catalogueDataset({
      dataset_filename: 'pbmc3k',
      name: 'Blood of one donor',
      description: ' ',
    });
    fake.answer('/api/dataset_metadata', () => json({ Blood: { PBMC: [bare] } }));
    const { user } = renderApp('/dataset-selector', fake);
    await user.click(await button('Blood'));
    await user.click(await button('PBMC (1 dataset)'));
    await user.click(await button(/^Blood of one donor.*pbmc3k$/));
    const stage = within(screen.getByRole('region', { name: 'Dataset Preview' })).getByText('Stage');
    expect(stage.nextElementSibling).toHaveTextContent('Not given');
  });

  test('datasets are grouped by category1, then category2', () => {
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

  test('recently selected datasets are listed for signed-in users only, each opening the explorer', async () => {
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

  test('a recent dataset is listed once, under the disease and the name of the catalogue', async () => {
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
    expect(within(link).getByText('Blood of one donor')).toBeVisible();
    expect(within(link).getByText('Healthy')).toBeVisible();
  });

  test('in the stepped layout one step follows the other, with the way back', async () => {
    const { user, address } = renderApp('/dataset-selector', fake);
    await user.click(await screen.findByRole('radio', { name: 'Steps' }));
    expect(screen.getByRole('heading', { name: 'Step 1: Browse by Disease' })).toBeVisible();
    expect(screen.queryByRole('heading', { name: /Step [23]/ })).toBeNull();
    const steps = within(screen.getByRole('navigation', { name: 'Steps' }));
    expect(steps.getByRole('button', { name: /Step 2/ })).toBeDisabled();

    await user.click(await button('Breast Cancer'));
    await user.click(await button('Ductal (2 datasets)'));
    expect(screen.getByRole('heading', { name: 'Step 2: Select Dataset' })).toBeVisible();
    expect(screen.getByText('Breast Cancer Datasets')).toBeVisible();
    await user.click(await button(/tumour_two/));
    expect(screen.getByRole('heading', { name: 'Step 3: Dataset Preview' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Explore Dataset' })).toHaveAttribute(
      'href',
      '/explorer?disease=Breast+Cancer&dataset=tumour_two',
    );
    expect(steps.getByRole('button', { name: /Step 3/ })).toHaveAttribute('aria-current', 'step');

    await user.click(steps.getByRole('button', { name: /Step 1/ }));
    expect(await button('Ductal (2 datasets)')).toHaveAttribute('aria-pressed', 'true');
    await user.click(steps.getByRole('button', { name: /Step 2/ }));
    expect(await button(/tumour_two/)).toHaveAttribute('aria-pressed', 'true');
    expect(address()).toContain('dataset=tumour_two');
  });

  test('the layout follows the width until one is chosen, and the choice is remembered', async () => {
    setScreenWidth(1024);
    const { user, unmount } = renderApp('/dataset-selector', fake);
    expect(await screen.findByRole('heading', { name: 'Step 1: Browse by Disease' })).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Columns' }));
    expect(screen.getByRole('heading', { name: 'Browse by Disease' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Dataset Preview' })).toBeVisible();
    unmount();
    renderApp('/dataset-selector', fake);
    expect(await screen.findByRole('heading', { name: 'Browse by Disease' })).toBeVisible();
  });

  test('the refresh button requests the diseases again, and a failure leaves the list', async () => {
    const { user } = renderApp('/dataset-selector', fake);
    await button('Blood');
    fake.answer('/api/dataset_metadata', () => json({ code: 'x', message: 'boom' }, 500));
    await user.click(await button('Refresh diseases'));
    expect(await screen.findByText('Error loading diseases: Failed to fetch dataset metadata')).toBeVisible();
    expect(await button('Blood')).toBeVisible();
    fake.answer('/api/dataset_metadata', () => json({ Lung: { IPF: [catalogueDataset()] } }));
    await user.click(await button('Refresh diseases'));
    expect(await button('Lung')).toBeVisible();
    expect(screen.queryByText(/Error loading diseases/)).toBeNull();
  });

  test('the address can request an earlier step than the selection allows, not a later one', () => {
    const at = (dataset: string | null) => ({ disease: 'a', subDisease: 'b', dataset });
    expect([stepOf(null, at('c')), stepOf('1', at('c')), stepOf('2', at('c')), stepOf('9', at('c'))]).toEqual(
      [3, 1, 2, 3],
    );
    expect([stepOf('3', at(null)), stepOf('3', { disease: null, subDisease: null, dataset: 'c' })]).toEqual([
      2, 1,
    ]);
  });

  test('a catalogue of many datasets can be searched, and a dataset chosen of all that is found', async () => {
    const many = Array.from({ length: 8 }, (_, n) =>
      catalogueDataset({ dataset_filename: `lung_${n}`, description: n === 5 ? 'Fibrosis of twelve' : '' }),
    );
    fake.answer('/api/dataset_metadata', () => json({ ...catalogue, Lung: { IPF: many } }));
    const { user, address } = renderApp('/dataset-selector', fake);
    await user.click(await screen.findByRole('searchbox', { name: 'Search datasets' }));
    await user.paste('lung FIBROSIS');
    expect(await button('IPF (1 dataset)')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Breast Cancer' })).toBeNull();
    const matches = screen.getByRole('region', { name: 'Datasets matching “lung FIBROSIS” (1)' });
    await user.click(within(matches).getByRole('button', { name: /lung_5/ }));
    expect(screen.getByRole('link', { name: 'Explore Dataset' })).toHaveAttribute(
      'href',
      '/explorer?disease=Lung&dataset=lung_5',
    );
    expect(address()).toBe(
      '/dataset-selector?search=lung+FIBROSIS&disease=Lung&subdisease=IPF&dataset=lung_5',
    );
    await user.click(screen.getByRole('searchbox'));
    await user.paste(' nowhere');
    expect(screen.getByText('No datasets match “lung FIBROSIS nowhere”.')).toBeVisible();
  });

  test('a search that came with the address finds whatever the preview shows, of any disease', async () => {
    const { user } = renderApp('/dataset-selector?search=carcinoma+age+50-59', fake);
    const matches = await screen.findByRole('region', { name: /^Datasets matching/ });
    const matchButtons = within(matches).getAllByRole('button');
    expect(matchButtons.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('tumour_two'),
    ]);
    expect(matchButtons[0]).toHaveTextContent('12,400 cells · 7 patients');
    await user.click(screen.getByRole('radio', { name: 'Steps' }));
    expect(screen.getByRole('region', { name: /^Datasets matching/ })).toBeVisible();
    await user.clear(screen.getByRole('searchbox'));
    expect(screen.queryByText(/^Datasets matching/)).toBeNull();
  });

  const staged = ['I', 'II', 'II'].map((stage, n) =>
    catalogueDataset({ dataset_filename: `lung_${n}`, stage, simulated: n === 0 }),
  );

  test('filters narrow the catalogue by what is known of it, are counted live, and are in the address', async () => {
    fake.answer('/api/dataset_metadata', () => json({ ...catalogue, Lung: { IPF: staged } }));
    const { user, address } = renderApp('/dataset-selector', fake);
    const filters = within(await screen.findByRole('region', { name: 'Filters' }));
    expect(filters.getByRole('status')).toHaveTextContent('6 datasets');
    await user.click(filters.getByRole('button', { name: 'Stage' }));
    const stages = within(screen.getByRole('dialog', { name: 'Filter by Stage' }));
    await user.click(stages.getByRole('checkbox', { name: /^II\s*, 3 datasets/ }));
    expect(filters.getByRole('status', { hidden: true })).toHaveTextContent('3 of 6 datasets');
    expect(address()).toBe('/dataset-selector?filter.stage=II');
  });

  test('filters of the address stay while a dataset is chosen, and are taken away one by one or all', async () => {
    fake.answer('/api/dataset_metadata', () => json({ ...catalogue, Lung: { IPF: staged } }));
    const { user, address } = renderApp('/dataset-selector?filter.stage=II&filter.disease=Lung', fake);
    const matches = within(await screen.findByRole('region', { name: 'Datasets matching your filters (2)' }));
    await user.click(matches.getByRole('button', { name: /lung_2/ }));
    expect(address()).toContain('filter.stage=II&filter.disease=Lung&disease=Lung&subdisease=IPF');
    const filters = within(screen.getByRole('region', { name: 'Filters' }));
    await user.click(filters.getByRole('button', { name: 'Remove filter Stage: II' }));
    expect(filters.getByRole('status')).toHaveTextContent('3 of 6 datasets');
    await user.click(filters.getByRole('button', { name: 'Clear all' }));
    expect(address()).toBe('/dataset-selector?disease=Lung&subdisease=IPF&dataset=lung_2');
  });

  test('filters that leave nothing say so and are cleared at once; values that are gone can be taken away', async () => {
    const { user } = renderApp('/dataset-selector?filter.stage=IV&filter.data=Measured', fake);
    expect(await screen.findByText('No datasets match these filters.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove filter Stage: IV' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await button('Breast Cancer')).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Chosen filters' })).toBeNull();
  });

  test('a gene finds the datasets that have it, with the cells that express it', async () => {
    fake.answer('/api/gene-datasets', ({ path }) =>
      json({
        genes:
          new URL(path, 'http://x').searchParams.get('genes') === 'cd79a,ductal'
            ? [
                {
                  gene: 'cd79a',
                  datasets: [
                    { dataset_filename: 'tumour_two', expressing_cells: 1_240, cell_count: 12_400 },
                    { dataset_filename: 'tnbc', expressing_cells: 1, cell_count: 12_400 },
                  ],
                },
              ]
            : [],
      }),
    );
    renderApp('/dataset-selector?search=CD79A+ductal', fake);
    const cellsText = await screen.findByText(/^in 1,240 cells, 10\.0 %$/, { exact: false });
    const matches = within(screen.getByRole('region', { name: 'Datasets matching “CD79A ductal” (1)' }));
    expect(matches.getByRole('button', { name: /tumour_two/ })).toContainElement(cellsText);
  });

  test('without an answer about genes the search finds what the catalogue says', async () => {
    fake.answer('/api/gene-datasets', () => json({ code: 'x', message: 'boom' }, 500));
    renderApp('/dataset-selector?search=carcinoma', fake);
    expect(await screen.findByRole('region', { name: 'Datasets matching “carcinoma” (1)' })).toBeVisible();
  });

  test('names of the catalogue are names only, even those of every object', () => {
    const hostile = JSON.parse('{"__proto__":{"constructor":[]},"toString":{"x":[]}}') as typeof catalogue;
    expect(
      datasetsOf(hostile, { disease: 'constructor', subDisease: 'name', dataset: null }),
    ).toBeUndefined();
    expect(datasetsOf({}, { disease: '__proto__', subDisease: 'toString', dataset: null })).toBeUndefined();
    const odd = JSON.parse(JSON.stringify({ a: { b: [catalogueDataset()] } }).replace('"a"', '"__proto__"'));
    expect(Object.keys(searchCatalogue(odd, 'tumour'))).toEqual(['__proto__']);
  });

  test("the user's own h5ad files are listed newest first, each opening the explorer", async () => {
    const file = {
      id: 'f1',
      user_id: 'ada',
      file_name: 'My <b>cells</b>',
      original_filename: 'cells.h5ad',
      description: 'Two donors',
      file_size: 1536,
      created_at: '2026-01-05T12:00:00Z',
    };
    const others = [
      { ...file, id: 'f2', original_filename: 'counts.mtx' },
      { ...file, id: 'f3', original_filename: 'notes.h5ad.tsv' },
    ];
    fake.answer('/rest/v1/user_files', () => json([...others, file]));
    const { unmount } = renderApp('/dataset-selector', fake);
    await button('Blood');
    expect(screen.queryByText('Browse Custom Files')).toBeNull();
    unmount();
    fake.auth.signIn();
    renderApp('/dataset-selector', fake);
    const card = await screen.findByRole('region', { name: 'Browse Custom Files' });
    const link = await within(card).findByRole('link');
    expect(link).toHaveAttribute(
      'href',
      '/explorer?customFileId=f1&customFileName=My+%3Cb%3Ecells%3C%2Fb%3E',
    );
    for (const text of ['My <b>cells</b>', 'cells.h5ad', 'Two donors', '1.54 KB · January 5, 2026'])
      expect(within(link).getByText(text)).toBeVisible();
    const fileRequests = fake.requests.filter(({ path }) => path.startsWith('/rest/v1/user_files'));
    expect(fileRequests.map(({ path }) => new URL(path, 'http://x').searchParams.get('order'))).toEqual([
      'created_at.desc,id.asc',
    ]);
  });

  test('without files it says so and leads to uploading; a failure can be tried again', async () => {
    fake.answer('/rest/v1/user_files', () => json({ message: 'no' }, 500));
    fake.auth.signIn();
    const { user } = renderApp('/dataset-selector', fake);
    const card = await screen.findByRole('region', { name: 'Browse Custom Files' });
    expect(await within(card).findByText('Failed to fetch your files')).toBeVisible();
    fake.answer('/rest/v1/user_files', () => json([]));
    await user.click(within(card).getByRole('button', { name: 'Try again' }));
    expect(await within(card).findByText('No H5AD files uploaded yet')).toBeVisible();
    expect(within(card).getByRole('link', { name: 'Upload Files' })).toHaveAttribute('href', '/upload-data');
  });

  test('a confirmation link that no longer works leads to another way', async () => {
    fake.services.linkError = 'Email link is invalid';
    renderApp('/dataset-selector#error=access_denied&error_description=Email+link+is+invalid', fake);
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Email link is invalid\. Confirm/);
    expect(screen.getAllByText(/Email link is invalid/)).toHaveLength(1);
    expect(await screen.findByRole('link', { name: 'Confirm your email address' })).toHaveAttribute(
      'href',
      '/auth/confirm',
    );
  });

  test('the header leads signed-in users to their uploads and account', async () => {
    fake.auth.signIn();
    renderApp('/dataset-selector', fake);
    expect(await screen.findByRole('link', { name: 'Upload Data' })).toHaveAttribute('href', '/upload-data');
    expect(screen.getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Login' })).toBeNull());
  });
});
