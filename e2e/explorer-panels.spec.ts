import { expectAccessible } from './support/page-checks.ts';
import { addGenes, dataset, explore, explorerAddress, notice, panel, select } from './support/explorer.ts';
import { expect, test } from './support/test.ts';

test('the states before the main view, and the way to sign in', async ({ page, account }) => {
  await page.goto(explorerAddress);
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Please sign in to open the explorer.')).toBeVisible();
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  // The address that was asked for, not the selector.
  await expect(page).toHaveURL(/\/explorer\?.*dataset=/);
  await page.goto('/explorer');
  await expect(page.getByRole('heading', { name: 'No Dataset Selected' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Upload Your Data' })).toHaveAttribute('href', '/upload-data');
  await expectAccessible(page);
  await page.setViewportSize({ width: 767, height: 900 });
  await expect(page.getByRole('heading', { name: 'Desktop Required' })).toBeVisible();
  await expectAccessible(page);
});

// The longest tests are given more time: on a machine that is busy with others they take a minute.
test('genes, a signature, a cell state, cell types and clusters become images, each once', async ({
  page,
}) => {
  test.slow();
  await explore(page);
  // Everything for a gene is there without scrolling.
  const visualize = page.getByRole('button', { name: /^Visualize Selected Genes/ });
  await expect(visualize).toBeInViewport({ ratio: 1 });
  await page.getByRole('combobox', { name: 'Search genes' }).fill('cd');
  await expect(page.getByRole('option')).toHaveCount(10);
  await expectAccessible(page);
  await addGenes(page, 'Search genes', 'cd3d, EPCAM, NOT-A-GENE');
  await expect(page.getByText('Not in this dataset: NOT-A-GENE')).toBeVisible();
  await page.getByRole('combobox', { name: 'Search genes' }).fill('');
  await page.getByLabel('Generate Expression by Cell Type Violin Plot').first().check();
  await page.getByRole('button', { name: 'Visualize Selected Genes (2)' }).click();
  await expect(page.getByText('Found: CD3D, EPCAM')).toBeVisible();
  const viewer = page.getByRole('region', { name: 'Main Viewer' });
  await expect(viewer.getByRole('img', { name: 'CD3D, Expression by cell type' })).toBeVisible();

  await page.getByRole('button', { name: 'Visualize Selected Genes (2)' }).click();
  await expect(notice(page, 'Images Already Generated')).toBeVisible();
  await panel(page, 'Gene Visualization').click();

  await panel(page, 'Signature Visualization').click();
  const score = page.getByRole('button', { name: /^Score Signature/ });
  await expect(score).toBeDisabled();
  await addGenes(page, 'Signature genes', 'NKG7, GNLY, CD3D');
  await expect(score).toBeDisabled();
  await page.getByLabel('Signature Name').fill('Cytotoxic');
  await page.getByRole('button', { name: 'Score Signature (3)' }).click();
  await expect(notice(page, 'Signature Scored Successfully')).toBeVisible();
  await expect(viewer.getByRole('img', { name: 'Cytotoxic, Signature score UMAP' })).toBeVisible();
  await expectAccessible(page, page.locator('section').filter({ has: score }));
  await panel(page, 'Signature Visualization').click();

  await panel(page, 'Cell State Visualization').click();
  await expect(page.getByRole('button', { name: 'Visualize Cell State Filter' })).toBeDisabled();
  await page.getByRole('combobox', { name: 'Cell state', exact: true }).click();
  await expect(page.getByRole('option')).toHaveCount(50);
  await page.getByRole('option', { name: 'HYPOXIA' }).click();
  await page.getByRole('button', { name: 'Visualize Cell State Filter' }).click();
  await expect(notice(page, 'Cell State Visualization Generated')).toBeVisible();
  await expect(viewer.getByRole('img', { name: 'HYPOXIA, Cell state UMAP' })).toBeVisible();
  await panel(page, 'Cell State Visualization').click();

  await panel(page, 'Cell Type Visualization').click();
  const filter = page.getByRole('button', { name: 'Visualize Cell Type Filter' });
  await expect(filter).toBeDisabled();
  await expect(page.getByLabel('Leiden Cluster')).toHaveCount(0);
  await page.getByRole('checkbox', { name: /^T cell/ }).check();
  await page.getByLabel('Leiden Cluster').check();
  await page.getByRole('checkbox', { name: /^Cluster 0\b/ }).check();
  await page.getByRole('checkbox', { name: /^Cluster 1\b/ }).check();
  await filter.click();
  await expect(notice(page, 'Cell Type Filter Applied')).toBeVisible();
  await expect(viewer.getByRole('img', { name: 'T cell, Cell type UMAP' })).toBeVisible();
  await expect(viewer.getByRole('img', { name: 'Clusters 0, 1, Leiden cluster UMAP' })).toBeVisible();
  // Of a new cell type and the same clusters only the cell type is drawn.
  await page.getByRole('checkbox', { name: /^NK/ }).check();
  const request = page.waitForRequest(/plot-isolated-cell-types/);
  await filter.click();
  expect((await request).postDataJSON()).toEqual({ cell_types: ['NK'], leiden_clusters: [] });
  await expect(viewer.getByRole('img', { name: 'NK, Cell type UMAP' })).toBeVisible();
});

test('a subset is refused while incomplete, then created, chosen, modified and deleted', async ({ page }) => {
  test.slow();
  await explore(page);
  const active = page.getByText(/cells active$/);
  const all = (await active.textContent()) ?? '';
  await panel(page, 'Manage Cell Subsets').click();
  const create = page.getByRole('button', { name: 'Create Subset' });
  const refused = async (text: string) => {
    await create.click();
    await expect(notice(page, text)).toBeVisible();
  };
  const filters = page.getByRole('group', { name: 'Filter types' });
  await refused('Please select at least one filter type.');
  for (const [type, text] of [
    ['Gene', 'Please select at least one gene for gene filter.'],
    ['Signature', 'Please select genes for the signature.'],
    ['Cell Type', 'Please select at least one cell type.'],
    ['Metadata', 'Please select at least one metadata field.'],
  ] as const) {
    await filters.getByLabel(type).check();
    await refused(text);
    await filters.getByLabel(type).uncheck();
  }
  await filters.getByLabel('Cell Type').check();
  await page
    .getByRole('region', { name: 'Cell Type filter' })
    .getByRole('checkbox', { name: /^T cell/ })
    .check();
  await refused('Please provide a subset name.');
  await filters.getByLabel('Gene').check();
  await addGenes(page, 'Filter by gene', 'EPCAM,CD3D');
  await expect(page.getByRole('list', { name: 'Gene of the filter' }).getByRole('listitem')).toHaveText([
    'CD3D',
  ]);
  await expect(page.getByLabel('Positive: expressed')).toBeChecked();
  await page.getByLabel('Percentile of expression').check();
  const minimum = page.getByLabel('Minimum percentile');
  await expect(minimum).toHaveValue('1');
  await expect(minimum).toHaveAttribute('max', '50');
  await expect(minimum).toHaveAttribute('step', '0.1');
  await expect(page.getByLabel('Maximum percentile')).toHaveAttribute('max', '99');
  await page.getByLabel('Positive: expressed').check();
  await expectAccessible(page);

  const name = 'T cells, <b>CD3D</b>';
  await page.getByLabel('Subset Group Name').fill(name);
  const sent = page.waitForRequest(/filter-active-dataset/);
  await create.click();
  expect((await sent).postDataJSON()).toMatchObject({
    subset_group_name: name,
    gene_filter: true,
    gene: { name: 'CD3D', presence: 'positive' },
    cell_type_filter: true,
    cell_type: ['T cell'],
    signature_filter: false,
  });
  await expect(notice(page, 'Subset Created')).toBeVisible();
  await expect(active).toHaveText(/^[\d,]+ of [\d,]+ cells active$/);
  const few = (await active.textContent()) ?? '';
  await expect(page).toHaveURL(/subset=/);

  // What is drawn now is of these cells alone; the address brings somebody else to the same cells and image.
  await addGenes(page, 'Search genes', 'NKG7');
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
  await expect(page.getByText('Found: NKG7')).toBeVisible();
  await expect(page).toHaveURL(/view=gene-umap%3ANKG7/);

  await select(page, 'Cell subset', /^Global/);
  await expect(active).toHaveText(all);
  await select(page, 'Cell subset', name);
  await expect(active).toHaveText(few);

  await select(page, 'Saved subset', name);
  await page.getByRole('button', { name: 'Modify Subset' }).click();
  await expect(notice(page, `Loaded ${name} for modification.`)).toBeVisible();
  await expect(page.getByText(`Modifying ${name}`)).toBeVisible();
  await filters.getByLabel('Gene').uncheck();
  await page.getByRole('button', { name: 'Update Subset' }).click();
  await expect(notice(page, `Successfully updated ${name} and applied filters.`)).toBeVisible();
  await expect(active).not.toHaveText(few);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Delete Subset' }).click();
  await expect(notice(page, 'Successfully deleted the subset.')).toBeVisible();
  await expect(active).toHaveText(all);
  await expect(create).toBeVisible();
});

test('work can be cancelled, what failed is kept and tried again, and leaving asks first', async ({
  page,
}) => {
  await explore(page);
  await expect(page.getByRole('region', { name: 'Current Dataset' }).getByText(dataset)).toBeVisible();
  await addGenes(page, 'Search genes', 'MS4A1');
  // A server that takes its time: the overlay says what is being done, and the work can be cancelled.
  let answerNow: () => void = () => {};
  const held = new Promise<void>((done) => (answerNow = done));
  await page.route('**/api/plot-umap-with-genes', async (route) => {
    await held;
    await route.abort().catch(() => {});
  });
  const visualize = page.getByRole('button', { name: 'Visualize Selected Genes (1)' });
  await visualize.click();
  await expect(page.getByText('Generating Gene UMAP')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Generating...' })).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(visualize).toBeEnabled();
  answerNow();
  await page.unroute('**/api/plot-umap-with-genes');

  // An answer that cannot be read: what happened is said, and what was typed is there for another try.
  await page.route('**/api/plot-umap-with-genes', (route) =>
    route.fulfill({ status: 200, json: { unexpected: true } }),
  );
  await visualize.click();
  await expect(notice(page, 'Failed to generate gene UMAP plots. Please try again.')).toBeVisible();
  await expect(page.getByText('Your genes and images are kept.')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/plot-umap-with-genes');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Found: MS4A1')).toBeVisible();

  await page.getByRole('link', { name: 'Change dataset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave Exploration' });
  await expect(dialog).toContainText(/\d+ UMAP image/);
  await dialog.getByRole('button', { name: 'Stay on Page' }).click();
  await expect(page).toHaveURL(/\/explorer/);
  await page.getByRole('link', { name: 'Change dataset' }).click();
  await dialog.getByRole('button', { name: 'Leave Page' }).click();
  await expect(page).toHaveURL(/\/dataset-selector/);
  // The arrows of the browser are asked about too.
  await expect(page.getByRole('heading', { name: 'Dataset Selector' })).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/^[\d,]+ cells active$/)).toBeVisible();
  await expect(page.getByRole('img', { name: 'MS4A1, Expression UMAP' })).toBeVisible();
  await page.evaluate(() => history.forward());
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Stay on Page' }).click();
  await expect(page).toHaveURL(/\/explorer/);
});
