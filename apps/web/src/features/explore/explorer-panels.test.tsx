import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { datasetAnalysis, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import type { ExplorerFake } from './explorer.fixture.ts';
import {
  explorerFake,
  filterPreviewAnswer,
  here,
  paths,
  subsetRow,
  viewerTitles,
} from './explorer.fixture.ts';

let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake({ patient_metadata: { stage: ['I', 'II'] } });
});

async function opened(titles: readonly string[] = [], path = here) {
  const app = renderApp(path, fake);
  await screen.findByText('700 cells active');
  for (const title of titles) await app.user.click(screen.getByRole('button', { name: title }));
  return app;
}
const button = (name: string | RegExp) => screen.getByRole('button', { name });
async function select(user: UserEvent, label: string, option: string | RegExp) {
  await user.click(screen.getByRole('combobox', { name: label }));
  await user.click(await screen.findByRole('option', { name: option }));
}
const refuse = (path: string, status = 500, code = 'internal_error', message = 'Boom') =>
  fake.answer(path, () => json({ code, message }, status));

describe('the panels', () => {
  test('a signature needs a gene and a name, is scored, and scored again without a second image', async () => {
    const { user } = await opened(['Signature Visualization']);
    const genes = screen.getByRole('combobox', { name: 'Signature genes' });
    await user.type(genes, 'cd3d,CD3E,cd3d{Enter}');
    expect(button('Score Signature (2)')).toBeDisabled();
    await user.type(screen.getByLabelText('Signature Name'), '  ');
    expect(button('Score Signature (2)')).toBeDisabled();
    await user.type(screen.getByLabelText('Signature Name'), 'T cell ');
    await user.click(button('Score Signature (2)'));
    expect(await screen.findByText('Signature Scored Successfully')).toBeInTheDocument();
    expect(screen.getByText('Found: CD3D')).toBeVisible();
    expect(screen.getByText('Not found: CD3E')).toBeVisible();
    await user.click(button('Score Signature (2)'));
    await waitFor(() => expect(fake.sent(paths.signature)).toHaveLength(2));
    expect(fake.sent(paths.signature)[0]).toEqual({
      genes: ['CD3D', 'CD3E'],
      score_name: 'T cell',
      violin_plot: false,
    });
    await waitFor(() => expect(button('Score Signature (2)')).toBeEnabled());
    expect(viewerTitles()).toEqual(['T cellSignature score UMAP', 'Cell typesFull dataset UMAP']);
  });

  test('cell types and clusters are drawn once; clusters are offered with a cell type', async () => {
    const { user } = await opened(['Cell Type Visualization']);
    const filter = button('Visualize Cell Type Filter');
    expect(filter).toBeDisabled();
    expect(screen.queryByLabelText('Leiden Cluster')).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: /^t-cell/ }));
    expect(screen.queryByRole('checkbox', { name: /^Cluster/ })).toBeNull();
    await user.click(screen.getByLabelText('Leiden Cluster'));
    await user.click(screen.getByRole('checkbox', { name: /^Cluster 1/ }));
    await user.click(filter);
    expect(await screen.findByText('Cell Type Filter Applied')).toBeInTheDocument();
    expect(viewerTitles()).toEqual([
      't-cellCell type UMAP',
      'Cluster 1Leiden cluster UMAP',
      'Cell typesFull dataset UMAP',
    ]);
    await user.click(filter);
    expect(await screen.findByText('Images Already Generated')).toBeInTheDocument();
    expect(fake.sent(paths.cellType)).toEqual([{ cell_types: ['t-cell'], leiden_clusters: ['1'] }]);
    // Given a new cell type and the same cluster, only the cell type.
    await user.click(screen.getByRole('checkbox', { name: /^b-cell/ }));
    await user.click(filter);
    await waitFor(() => expect(fake.sent(paths.cellType)).toHaveLength(2));
    expect(fake.sent(paths.cellType)[1]).toEqual({ cell_types: ['b-cell'], leiden_clusters: [] });
  });

  test('a dataset without cell types says so', async () => {
    fake.answer('/api/dataset_analysis/tumour_one', () =>
      json(datasetAnalysis({ cell_types: [], cell_type_counts: {} })),
    );
    await opened(['Cell Type Visualization']);
    expect(screen.getByText('No cell types available for this dataset')).toBeVisible();
  });

  test('a cell state is chosen and scored; its library says that it is abridged', async () => {
    const { user } = await opened(['Cell State Visualization']);
    expect(button('Visualize Cell State Filter')).toBeDisabled();
    await select(user, 'Cell state', 'HYPOXIA');
    await user.click(button('Visualize Cell State Filter'));
    expect(await screen.findByText('Cell State Visualization Generated')).toBeInTheDocument();
    expect(fake.sent(paths.cellState)).toEqual([{ cell_state: 'HYPOXIA', violin_plot: false }]);
    expect(
      screen.getByText(
        /1 of 2 genes of MSigDB Hallmark 7\.0.*License: CC BY 4\.0\. Cite: Liberzon et al\. 2015/,
      ),
    ).toBeVisible();
  });

  test('a cell state says before the run how many of its genes the dataset has; with none it is not scored', async () => {
    fake.answer('/api/gene-set-libraries?dataset=', () =>
      json({
        libraries: [],
        cell_states: [],
        may_pull: false,
        cell_state_genes: [
          { name: 'HYPOXIA', gene_count: 200, found_count: 1 },
          { name: 'MYOGENESIS', gene_count: 198, found_count: 0 },
        ],
      }),
    );
    const { user } = await opened(['Cell State Visualization']);
    await select(user, 'Cell state', 'HYPOXIA');
    expect(await screen.findByText('1 of its 200 genes is in this dataset.')).toBeVisible();
    expect(button('Visualize Cell State Filter')).toBeEnabled();
    await select(user, 'Cell state', 'MYOGENESIS');
    expect(screen.getByText('None of its 198 genes is in this dataset: choose another state.')).toBeVisible();
    expect(button('Visualize Cell State Filter')).toBeDisabled();
  });

  test('each failure has its words; one click opens a lost dataset again and goes on', async () => {
    refuse(paths.cellType);
    refuse(paths.signature, 400, 'no_dataset_loaded', 'No dataset loaded.');
    const { user } = await opened(['Cell Type Visualization']);
    await user.click(screen.getByRole('checkbox', { name: /^t-cell/ }));
    await user.click(button('Visualize Cell Type Filter'));
    expect(
      await screen.findByText('Failed to apply cell type filter. Please try again.'),
    ).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('Failed to filter cell types: Boom');
    refuse(paths.cellType, 400, 'unknown_value', 'No such cell type.');
    await user.click(button('Try again'));
    expect(
      await screen.findByText('Error retrieving cell types from dataset. Please refresh the page.'),
    ).toBeVisible();

    await user.click(button('Signature Visualization'));
    await user.type(screen.getByRole('combobox', { name: 'Signature genes' }), 'CD3D{Enter}');
    await user.type(screen.getByLabelText('Signature Name'), 'T');
    await user.click(button('Score Signature (1)'));
    const reload = await screen.findByRole('button', { name: 'Reload dataset and try again' });
    const openings = () =>
      fake.requests.filter(({ path }) => path.startsWith('/api/dataset_analysis/')).length;
    const before = openings();
    await user.click(reload);
    await waitFor(() => expect(openings()).toBe(before + 1));
    await waitFor(() => expect(fake.sent(paths.signature)).toHaveLength(2));
    expect(screen.getByLabelText('Signature Name')).toHaveValue('T');
  });

  test('a notice beside the input reports an ended session, and an ended trial leads to the plans', async () => {
    refuse(paths.gene, 401, 'invalid_token', 'The token has expired.');
    const { user, address } = await opened();
    await user.type(screen.getByRole('combobox', { name: 'Search genes' }), 'CST3{Enter}{Enter}');
    expect(await screen.findByText(/Your session has ended/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove CST3' })).toBeVisible();
    refuse(paths.gene, 403, 'trial_expired', 'The trial has ended.');
    await user.click(button('Try again'));
    expect(await screen.findByText('Free Trial Expired')).toBeInTheDocument();
    await waitFor(() => expect(address()).toBe('/pricing?trial_expired=true'));
  });

  test('one panel is open at a time, and is found as it was left, with what was typed in it', async () => {
    const { user, unmount } = await opened(['Signature Visualization']);
    await user.type(screen.getByLabelText('Signature Name'), 'Cytotoxic');
    unmount();
    renderApp(here, fake);
    expect(await screen.findByLabelText('Signature Name')).toHaveValue('Cytotoxic');
    expect(button('Gene Visualization')).toHaveAttribute('aria-expanded', 'false');
  });

  test('the folded column is a rail of panels, and stays folded over a reload', async () => {
    const { user, unmount } = await opened(['Signature Visualization']);
    await user.type(screen.getByLabelText('Signature Name'), 'Cytotoxic');
    await user.click(button('Hide the panels'));
    expect(screen.queryByRole('region', { name: 'Exploration' })).toBeNull();
    unmount();
    renderApp(here, fake);
    const rail = within(await screen.findByRole('navigation', { name: 'Panels' }));
    await user.click(rail.getByRole('button', { name: 'Signature Visualization' }));
    expect(screen.getByLabelText('Signature Name')).toHaveValue('Cytotoxic');
    expect(screen.queryByRole('navigation', { name: 'Panels' })).toBeNull();
  });
});

describe('cell subsets', () => {
  const filters = () => within(screen.getByRole('group', { name: 'Filter types' }));

  test('the dataset opens with all cells, and a failed count is only logged', async () => {
    refuse(paths.filter);
    renderApp(here, fake);
    expect(await screen.findByText('700 cells active')).toBeVisible();
    expect(fake.sent(paths.filter)).toEqual([{ subset_group_name: 'Default' }]);
    expect(screen.queryByText('Warning')).toBeNull();
  });

  test('choosing a subset filters on the server and counts; one that is refused, as of cells of another version, leaves the cells as they were', async () => {
    const cells = { version: 'before', places: 'AAECAw' };
    fake.subsets.push(
      subsetRow(),
      subsetRow({ id: 'other', subset_name: 'None' }),
      subsetRow({
        id: 'tail',
        subset_name: 'Tail',
        filter_config: {
          activeFilterTypes: ['cells'],
          cellsFilter: { count: 144 },
          api_payload: { subset_group_name: 'Tail', cells_filter: true, cells },
        },
      }),
    );
    const { user } = await opened(['Cell Type Visualization']);
    await select(user, 'Cell subset', 'T cells');
    expect(await screen.findByText('120 of 700 cells active')).toBeVisible();
    expect(fake.sent(paths.filter).at(-1)).toMatchObject({
      subset_group_name: 'T cells',
      cell_type_filter: true,
      cell_type: ['t-cell'],
    });
    expect(screen.getByRole('checkbox', { name: /^b-cell\W*0/ })).toBeVisible();
    refuse(paths.filter, 422, 'empty_subset', 'None of the 700 cells passes this filter.');
    await select(user, 'Cell subset', 'None');
    expect(await screen.findByText('Subset selection API call failed.')).toBeInTheDocument();
    expect(screen.getByText('None: None of the 700 cells passes this filter.')).toBeVisible();
    expect(screen.getByText('120 of 700 cells active')).toBeVisible();
    const reason = 'The cells were selected on another version of the dataset. Select them again.';
    refuse(paths.filter, 409, 'selection_of_other_version', reason);
    await select(user, 'Cell subset', /^Tail\W*144 cells selected on the map, from another version$/);
    expect(await screen.findByText(reason)).toBeInTheDocument();
    // Also where it stays when the notice, which a small screen cuts, is closed.
    expect(screen.getByText(`Tail: ${reason}`)).toBeVisible();
    expect(screen.getByText('120 of 700 cells active')).toBeVisible();
  });

  test('a subset exists even if its filter fails; a failed insert keeps the form', async () => {
    const { user } = await opened(['Manage Cell Subsets']);
    await user.click(filters().getByLabelText('Metadata'));
    const metadata = within(screen.getByRole('region', { name: 'Metadata filter' }));
    await user.click(metadata.getByRole('checkbox', { name: 'Stage' }));
    await user.click(metadata.getByRole('checkbox', { name: 'II' }));
    await user.type(screen.getByLabelText('Subset Group Name'), 'Late');
    const answers = fake.subsets;
    fake.answer('/rest/v1/subset_metadata?', () => json({ code: 'X', message: 'down' }, 500));
    await user.click(button('Create Subset'));
    expect(await screen.findByText('Failed to create subset. Please try again.')).toBeInTheDocument();
    expect(screen.getByLabelText('Subset Group Name')).toHaveValue('Late');
    fake.answer('/rest/v1/subset_metadata?', () => Promise.reject(new TypeError('Failed to fetch')));
    await user.click(button('Create Subset'));
    expect(
      await screen.findByText('The server did not answer. Check the connection and try again.'),
    ).toBeInTheDocument();
    expect(screen.queryByText(/Failed to fetch/)).toBeNull();
    const hint = 'Delete subsets that are no longer needed, then save it again.';
    fake.answer('/rest/v1/subset_metadata?', () =>
      json({ code: 'PT409', message: 'There is room for 500 saved subsets.', hint }, 409),
    );
    await user.click(button('Create Subset'));
    expect(await screen.findByText(`There is room for 500 saved subsets. ${hint}`)).toBeInTheDocument();
    fake.answer('/rest/v1/subset_metadata?', () =>
      json(subsetRow({ id: 'late', subset_name: 'Late', filter_config: null }), 201),
    );
    refuse(paths.filter);
    await user.click(button('Create Subset'));
    expect(await screen.findByText('Subset Created')).toBeInTheDocument();
    expect(await screen.findByText('Subset loaded but filter API call failed.')).toBeInTheDocument();
    expect(screen.getByLabelText('Subset Group Name')).toHaveValue('');
    expect(screen.getByText('700 cells active')).toBeVisible();
    expect(answers).toEqual([]);
  });

  test('filters that no cell passes are not saved', async () => {
    fake.answer(paths.preview, () => json(filterPreviewAnswer({ cell_count: 0 })));
    const { user } = await opened(['Manage Cell Subsets']);
    await user.click(filters().getByLabelText('Cell Type'));
    await user.click(
      within(screen.getByRole('region', { name: 'Cell Type filter' })).getByRole('checkbox', {
        name: /^t-cell/,
      }),
    );
    await user.type(screen.getByLabelText('Subset Group Name'), 'None');
    await user.click(button('Create Subset'));
    expect(await screen.findByText(/No cell passes these filters together\./)).toBeInTheDocument();
    expect(fake.subsets).toEqual([]);
    expect(screen.getByLabelText('Subset Group Name')).toHaveValue('None');
  });

  test('a new subset says what is active and leads on; a copy of it has a name of its own', async () => {
    const { user } = await opened(['Manage Cell Subsets']);
    await user.click(filters().getByLabelText('Gene'));
    expect(screen.getByRole('radio', { name: 'Positive: expressed' })).toBeChecked();
    await user.click(filters().getByLabelText('Gene'));
    await user.click(filters().getByLabelText('Cell Type'));
    await user.click(
      within(screen.getByRole('region', { name: 'Cell Type filter' })).getByRole('checkbox', {
        name: /^t-cell/,
      }),
    );
    await user.type(screen.getByLabelText('Subset Group Name'), 'T cells');
    await user.click(button('Create Subset'));
    const saved = await screen.findByText(/is saved and active: 120 of 700 cells\./);
    await user.click(button('Plot genes'));
    expect(screen.getByRole('combobox', { name: 'Search genes' })).toHaveFocus();
    await user.click(button('Manage Cell Subsets'));
    await user.click(button('Duplicate'));
    await waitFor(() => expect(screen.getByLabelText('Subset Group Name')).toHaveValue('T cells copy'));
    expect(saved).not.toBeInTheDocument();
    const name = screen.getByLabelText('Subset Group Name');
    await user.clear(name);
    await user.type(name, 'T cells');
    await user.click(button('Create Subset'));
    expect(await screen.findByText(/Another subset of this dataset is named T cells\./)).toBeInTheDocument();
    await user.type(name, ' too');
    await user.click(button('Create Subset'));
    await waitFor(() =>
      expect(fake.subsets).toMatchObject([{ subset_name: 'T cells too' }, { subset_name: 'T cells' }]),
    );
  });

  test('a legacy subset is modified and updated; Cancel empties the form', async () => {
    const row = subsetRow({ gene_symbol: 'cd3d', percentile: 20, filter_config: null });
    fake.subsets.push(row);
    const { user } = await opened(['Manage Cell Subsets']);
    await select(user, 'Saved subset', 'T cells');
    fake.subsets.pop();
    await user.click(button('Modify Subset'));
    expect(await screen.findByText('Failed to load subset. Please try again.')).toBeInTheDocument();
    fake.subsets.push(row);
    await user.click(button('Modify Subset'));
    expect(await screen.findByText('Loaded T cells for modification.')).toBeInTheDocument();
    expect(screen.getByLabelText('Minimum percentile')).toHaveValue(20);
    expect(screen.getByLabelText('Subset Group Name')).toHaveValue('T cells');
    await user.click(button('Cancel'));
    expect(button('Create Subset')).toBeEnabled();
    expect(screen.getByLabelText('Subset Group Name')).toHaveValue('');
    await user.click(button('Modify Subset'));
    await screen.findByRole('button', { name: 'Update Subset' });
    await user.click(filters().getByLabelText('Cell Type'));
    await user.click(button('Update Subset'));
    expect(await screen.findByText('Successfully updated T cells and applied filters.')).toBeInTheDocument();
    expect(fake.subsets).toMatchObject([
      { filter_config: { activeFilterTypes: ['gene'], api_payload: { gene: { name: 'CD3D' } } } },
    ]);
    await user.click(button('Delete Subset'));
    expect(await screen.findByText('Successfully deleted the subset.')).toBeInTheDocument();
    expect(fake.subsets).toEqual([]);
    expect(await screen.findByText('700 cells active')).toBeVisible();
  });

  test('the address of a colleague brings the same cells and images', async () => {
    fake.subsets.push(subsetRow());
    const { user, address, unmount } = await opened();
    await select(user, 'Cell subset', 'T cells');
    await screen.findByText('120 of 700 cells active');
    await user.type(screen.getByRole('combobox', { name: 'Search genes' }), 'CST3{Enter}{Enter}');
    // What the fake draws is of all cells: only the default image is of what is in the address.
    await screen.findByText('Found: CST3');
    await waitFor(() => expect(address()).toMatch(/subset=.*filter=/));
    const shared = `${address().replace(/&view=.*$/, '')}&view=gene-umap:CD79A`;
    unmount();

    fake = explorerFake();
    fake.answer('/api/render-figure', () => new Response(new Blob(['png'], { type: 'image/png' })));
    renderApp(shared, fake);
    expect(await screen.findByText('120 of 700 cells active')).toBeVisible();
    expect(await screen.findByRole('heading', { name: /^CD79A/ })).toBeVisible();
    expect(viewerTitles()).toEqual(['CD79AExpression UMAP · T cells']);
    expect(fake.sent('/api/render-figure')).toMatchObject([
      { source: { subset: { cell_type: ['t-cell'] }, content: { kind: 'gene-umap', gene: 'CD79A' } } },
    ]);
    const chooser = screen.getByRole('combobox', { name: 'Cell subset' });
    expect(chooser).toHaveTextContent('T cells (not saved)');
    await user.click(button('Save as subset'));
    await waitFor(() => expect(chooser).toHaveTextContent(/^T cells$/));
    expect(fake.subsets).toMatchObject([
      { subset_name: 'T cells', filter_config: { cellTypeFilter: { cellTypes: ['t-cell'] } } },
    ]);
  });
});

test('an upload is shown as a custom dataset with the first eight characters of its id', async () => {
  const id = 'c0ffee00-1234-4567-89ab-000000000000';
  fake.answer(`/api/dataset_analysis/custom%3A${id}`, () =>
    json(datasetAnalysis({ dataset_filename: `custom:${id}` })),
  );
  fake.answer('/api/render-figure', () => new Response(new Blob(['png'], { type: 'image/png' })));
  await opened([], `/explorer?customFileId=${id}&customFileName=mine.h5ad`);
  const card = within(screen.getByRole('region', { name: 'Current Dataset' }));
  for (const text of ['Custom Dataset', 'mine.h5ad', 'c0ffee00', '2', '5']) {
    expect(card.getByText(text)).toBeVisible();
  }
  expect(screen.getByText('Custom Data /')).toBeVisible();
});

test('every analysis is offered, and one that runs is shown in the viewer, where it is cancelled', async () => {
  const { user } = await opened(['Run Analysis']);
  const card = within(screen.getByRole('region', { name: 'Analysis' }));
  const tasks = ['Compare', 'Enrich', 'Order', 'Annotate', 'Interact'].map((task) =>
    within(card.getByRole('region', { name: task }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  );
  expect(tasks).toEqual([
    ['DEG Analysis', 'Top/Bottom Decile Expression Profiling', 'Composition Analysis', 'Perturbation Screen'],
    ['Gene Set Enrichment Analysis', 'Ranked Enrichment (GSEA)'],
    ['Gradient Analysis', 'Trajectory Analysis'],
    ['Marker Analysis', 'Cell Type Annotation'],
    ['Ligand-Receptor Analysis', 'Co-Expression Analysis'],
  ]);
  await user.click(card.getByRole('button', { name: 'Marker Analysis' }));
  await select(user, 'Group By', /^Cell type/);
  fake.answer('/api/perform-marker-analysis', () => new Promise(() => {}));
  await user.click(screen.getAllByRole('button', { name: 'Run Analysis' }).at(-1)!);
  const viewer = within(screen.getByRole('region', { name: 'Main Viewer' }));
  expect(await viewer.findByText('Running Marker Analysis')).toBeVisible();
  await user.click(viewer.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(viewer.queryByText('Running Marker Analysis')).toBeNull());
  await user.click(card.getByRole('button', { name: 'All analyses' }));
  await user.click(card.getByRole('button', { name: 'Ranked Enrichment (GSEA)' }));
  expect(screen.getByText(/^No comparison yet/)).toBeVisible();
});
