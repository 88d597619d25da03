import { expect, type Locator } from '@playwright/test';
import { downloaded } from './support/downloaded.ts';
import { explore, panel, viewer } from './support/explorer.ts';
import { test } from './support/test.ts';

/** Clicks, and counts them: keys that are typed into a field that has the focus are free. */
function counting() {
  let clicks = 0;
  return {
    click: async (what: Locator): Promise<void> => {
      await what.click();
      clicks += 1;
    },
    clicks: () => clicks,
  };
}

test('FOXP3 in T cells by treatment, on one scale, takes at most ten clicks', async ({ page }) => {
  await explore(page);
  const { click, clicks } = counting();
  await click(panel(page, 'Manage Cell Subsets'));
  await click(page.getByRole('checkbox', { name: 'Cell Type', exact: true }));
  const types = page.getByRole('group', { name: 'Cell types to keep' });
  await click(types.getByRole('checkbox', { name: /^T cell/ }));
  await click(page.getByRole('checkbox', { name: 'Metadata', exact: true }));
  await click(page.getByRole('checkbox', { name: 'Treatment', exact: true }));
  await click(page.getByRole('checkbox', { name: 'A subset for each value' }));
  await click(page.getByRole('button', { name: 'Create Subset' }));
  await click(page.getByRole('button', { name: 'Plot genes in each' }));
  await page.keyboard.type('FOXP3');
  await page.keyboard.press('Enter');
  await click(page.getByRole('button', { name: 'Visualize Selected Genes (1)' }));
  const figures = viewer(page).getByRole('heading', { name: /^FOXP3/ });
  await expect(figures).toHaveCount(2);
  await click(page.getByRole('switch', { name: /^Same scale/ }));
  await expect(viewer(page).getByText(/^0 to [\d.]+, log-normalised$/)).toBeVisible();
  expect(clicks()).toBeLessThanOrEqual(10);
});

test('four genes on one scale take three clicks, the cells with their metadata two', async ({ page }) => {
  await explore(page);
  const { click, clicks } = counting();
  await click(page.getByRole('combobox', { name: 'Search genes', exact: true }));
  await page.keyboard.type('CD3D, CD8A, CD4, GZMB');
  await page.keyboard.press('Enter');
  await click(page.getByRole('button', { name: 'Visualize Selected Genes (4)' }));
  await expect(viewer(page).getByRole('heading', { name: /Expression UMAP/ })).toHaveCount(4);
  await click(page.getByRole('switch', { name: /^Same scale/ }));
  await expect(viewer(page).getByText(/^0 to [\d.]+, log-normalised$/)).toBeVisible();
  expect(clicks()).toBe(3);
  await click(panel(page, 'Export Cells'));
  const file = await downloaded(page, () => click(page.getByRole('button', { name: /^Export/ }).last()));
  expect(file.bytes.toString()).toMatch(/^(#[^\n]*\n)+barcode,/);
  expect(clicks()).toBe(5);
});
