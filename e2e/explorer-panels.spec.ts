import { addGenes, dataset, explore, notice, panel, select, viewer } from './support/explorer.ts';
import { expect, test } from './support/test.ts';

test('a cell state, cell types and clusters become images; a subset of any name is created, chosen, modified and deleted; leaving asks first, also by the arrows of the browser', async ({
  page,
}) => {
  await explore(page);
  await expect(page.getByRole('region', { name: 'Current Dataset' }).getByText(dataset)).toBeVisible();
  // Everything for a gene is there without scrolling.
  const visualize = page.getByRole('button', { name: /^Visualize Selected Genes/ });
  await expect(visualize).toBeInViewport({ ratio: 1 });

  await panel(page, 'Cell State Visualization').click();
  await page.getByRole('combobox', { name: 'Cell state', exact: true }).click();
  await expect(page.getByRole('option')).toHaveCount(50);
  await page.getByRole('option', { name: 'HYPOXIA' }).click();
  await page.getByRole('button', { name: 'Visualize Cell State Filter' }).click();
  await expect(viewer(page).getByRole('img', { name: 'HYPOXIA, Cell state UMAP' })).toBeVisible();
  await panel(page, 'Cell State Visualization').click();

  await panel(page, 'Cell Type Visualization').click();
  await page.getByRole('checkbox', { name: /^T cell/ }).check();
  await page.getByLabel('Leiden Cluster').check();
  await page.getByRole('checkbox', { name: /^Cluster 0\b/ }).check();
  await page.getByRole('checkbox', { name: /^Cluster 1\b/ }).check();
  await page.getByRole('button', { name: 'Visualize Cell Type Filter' }).click();
  await expect(viewer(page).getByRole('img', { name: 'T cell, Cell type UMAP' })).toBeVisible();
  await expect(viewer(page).getByRole('img', { name: 'Clusters 0, 1, Leiden cluster UMAP' })).toBeVisible();
  await panel(page, 'Cell Type Visualization').click();

  const active = page.getByText(/cells active$/);
  const all = (await active.textContent()) ?? '';
  await panel(page, 'Manage Cell Subsets').click();
  const filters = page.getByRole('group', { name: 'Filter types' });
  await filters.getByLabel('Cell Type').check();
  const types = page.getByRole('region', { name: 'Cell Type filter' });
  await types.getByRole('checkbox', { name: /^T cell/ }).check();
  await filters.getByLabel('Gene').check();
  await addGenes(page, 'Filter by gene', 'CD3D');
  const name = 'T cells, <b>CD3D</b>';
  await page.getByLabel('Subset Group Name').fill(name);
  await page.getByRole('button', { name: 'Create Subset' }).click();
  await expect(active).toHaveText(/^[\d,]+ of [\d,]+ cells active$/);
  const few = (await active.textContent()) ?? '';
  await select(page, 'Cell subset', /^Global/);
  await expect(active).toHaveText(all);
  await select(page, 'Cell subset', name);
  await expect(active).toHaveText(few);
  await select(page, 'Saved subset', name);
  await page.getByRole('button', { name: 'Modify Subset' }).click();
  await expect(page.getByText(`Modifying ${name}`)).toBeVisible();
  await filters.getByLabel('Gene').uncheck();
  await page.getByRole('button', { name: 'Update Subset' }).click();
  await expect(notice(page, `Successfully updated ${name} and applied filters.`)).toBeVisible();
  await expect(active).not.toHaveText(few);
  await page.getByRole('button', { name: 'Delete Subset' }).click();
  await expect(active).toHaveText(all);

  const leave = page.getByRole('link', { name: 'Change dataset' });
  await leave.click();
  const dialog = page.getByRole('dialog', { name: 'Leave Exploration' });
  await dialog.getByRole('button', { name: 'Leave Page' }).click();
  await expect(page).toHaveURL(/\/dataset-selector/);
  await expect(page.getByRole('heading', { name: 'Dataset Selector' })).toBeVisible();
  await page.goBack();
  await expect(viewer(page).getByRole('img', { name: 'T cell, Cell type UMAP' })).toBeVisible();
  await page.evaluate(() => history.forward());
  await dialog.getByRole('button', { name: 'Stay on Page' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/explorer/);
});
