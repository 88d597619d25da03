import { expect, type Locator, type Page } from '@playwright/test';
import {
  chooseAnalysis,
  chooseIn,
  downloadedTable,
  explore,
  panel,
  select,
  viewer,
} from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, test } from './support/test.ts';

test('a pasted list is mended, modules of genes that vary together are found, drawn and become lists too, and lists a dot plot with their names over it', async ({
  page,
}) => {
  await explore(page);
  await panel(page, 'Gene Lists').click();
  await page.getByRole('button', { name: 'New gene list' }).click();
  const dialog = page.getByRole('dialog', { name: 'New gene list' });
  await dialog.getByLabel('Name', { exact: true }).fill('B cells');
  await dialog.getByLabel('Genes', { exact: true }).fill('cd79a\nCD22\tNOTAGENE;CD20');
  await expect(dialog.getByText('cd79a → CD79A, CD20 → MS4A1.')).toBeVisible();
  await expect(dialog.getByText('1 not in this dataset: NOTAGENE.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save list' }).click();
  await expect(page.getByRole('button', { name: 'Edit B cells' })).toHaveText(/3 of 4 genes here/);

  const { card } = await chooseAnalysis(page, 'Co-Expression Analysis');
  await saveModules(page, card);

  await panel(page, 'Figures by Group').click();
  await select(page, 'Figure', 'Dot plot');
  for (const name of ['B cells', 'Module 1 genes (2)']) {
    await page.getByRole('button', { name: 'Gene lists: Genes of the figure' }).click();
    await chooseIn(page, 'Gene lists', `${name} 3`);
    await expect(page.getByText(`${name}: 3 genes added`, { exact: false })).toBeVisible();
  }
  const renderResponse = page.waitForResponse(
    (response) => response.url().endsWith('/api/render-figure') && response.ok(),
  );
  await page.getByRole('button', { name: 'Draw Figure' }).click();
  expect((await renderResponse).request().postDataJSON()).toMatchObject({
    source: {
      content: {
        kind: 'gene-dot-plot',
        brackets: [
          { name: 'B cells', count: 3 },
          { name: 'Module 1 genes (2)', count: 3 },
        ],
      },
    },
  });
  await expect(viewer(page).getByRole('heading', { name: /^CD79A, CD22, MS4A1 and 3 more/ })).toBeVisible();
});

async function saveModules(page: Page, card: Locator): Promise<void> {
  await card.getByLabel('Min. Module Genes').fill('10');
  await expectAccessible(page, card);
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const result = page.getByRole('tabpanel', { name: 'Co-Expression Analysis' });
  await result.getByRole('button', { name: /^Modules: \d+ of / }).click();
  await expect(result.getByText(/the graph of nearest cells comes from the same expression/)).toBeVisible();
  const modules = result.getByRole('table', { name: 'Modules' });
  await expect(modules.getByRole('row', { name: /^Module 1 / })).toBeVisible();
  await result.getByRole('tab', { name: 'Module Figures' }).click();
  await expect(result.getByRole('img', { name: /^Heatmap of the modules, / })).toBeVisible();
  for (const figure of ['Network of genes', 'Module 1 on the map']) {
    await result.getByRole('combobox', { name: 'Figure' }).click();
    await page.getByRole('option', { name: figure }).click();
    await expect(result.getByRole('img', { name: new RegExp(`^${figure}, `) })).toBeVisible();
  }
  await expectAccessible(page, result);
  const picture = await downloaded(page, async () => {
    await result.getByRole('button', { name: 'Download Module 1 on the map' }).click();
    await page.getByRole('menuitem', { name: /^SVG/ }).click();
  });
  expect(picture.name).toBe('module_1_map.svg');
  const csv = await downloadedTable(page, result);
  expect(csv.name).toBe('co_expression_genes.csv');

  await result.getByRole('tab', { name: /Table/ }).click();
  await result.getByRole('button', { name: 'Save as List' }).click();
  await page.getByRole('button', { name: /^One list for each of \d+ groups/ }).click();
  await expect(page.getByText('Gene Lists Saved')).toBeVisible();
  await result.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: /^Module 1 / }).click();
  await result.getByRole('button', { name: 'Save as List' }).click();
  await expect(page.getByLabel(/^Save \d+ genes? as a list/)).toHaveValue('Module 1 genes (2)');
  await page.getByLabel('The first').fill('3');
  await page.getByRole('button', { name: 'Save list' }).click();
  await expect(page.getByText('Module 1 genes (2): 3 genes.')).toBeVisible();

  await result.getByRole('button', { name: 'Enrichment of Module 1' }).click();
  await expect(card.getByRole('combobox', { name: /^Background/ })).toHaveText(/My own list/);
}
