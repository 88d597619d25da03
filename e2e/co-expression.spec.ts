import { chooseAnalysis, clickAndNotice, explore } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';

test('modules of genes are found, drawn, saved as gene lists, and tested for enrichment', async ({
  page,
}) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Co-Expression Analysis');
  await expect(card.getByLabel('Min. Module Genes')).toHaveValue('15');
  await card.getByLabel('Min. Module Genes').fill('4');
  await expect(run).toBeDisabled();
  await card.getByLabel('Min. Module Genes').fill('10');
  await expectAccessible(page, card);

  await clickAndNotice(page, run, 'Analysis Started');
  const result = page.getByRole('dialog', { name: 'Co-Expression Analysis' });
  await expect(result.getByText('Co-Expression Analysis Complete')).toBeVisible();
  await expect(result.getByText(/^The graph of nearest cells is made of principal components/)).toBeVisible();
  await result.getByRole('button', { name: /^\d+ modules? of / }).click();
  const modules = result.getByRole('table', { name: 'Modules' });
  await expect(modules.getByRole('row', { name: /^Module 1 / })).toBeVisible();
  await expectAccessible(page, result);
  await result.getByRole('button', { name: /^\d+ modules? of / }).click();

  await result.getByRole('tab', { name: 'Module Figures' }).click();
  await expect(result.getByRole('img', { name: /^Heatmap of the modules, / })).toBeVisible();
  for (const figure of ['Network of genes', 'Module 1 on the map']) {
    await result.getByRole('combobox', { name: 'Figure' }).click();
    await page.getByRole('option', { name: figure }).click();
    await expect(result.getByRole('img', { name: new RegExp(`^${figure}, `) })).toBeVisible();
  }
  const picture = await downloaded(page, () =>
    result.getByRole('button', { name: 'Download Module 1 on the map as SVG' }).click(),
  );
  expect(picture.name).toBe('module_1_map.svg');
  const table = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(table.name).toBe('co_expression_genes.csv');
  expect(table.bytes.toString()).toContain('\ngroup,names,c,z,pvals,pvals_adj,module_z,pct_nz\n');

  await result.getByRole('tab', { name: /Table/ }).click();
  await result.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: /^Module 1 / }).click();
  await result.getByRole('button', { name: 'Save as List' }).click();
  await expect(page.getByRole('textbox', { name: /^Save \d+ genes as a list/ })).toHaveValue(
    'Module 1 genes',
  );
  await page.getByRole('button', { name: 'Save list' }).click();
  await expect(page.getByText('Gene List Saved')).toBeVisible();

  await result.getByRole('button', { name: 'Enrichment of Module 1' }).click();
  await expect(card.getByRole('combobox', { name: 'Analysis Type' })).toHaveText(
    'Gene Set Enrichment Analysis',
  );
  await expect(card.getByRole('combobox', { name: /^Background/ })).toHaveText(/My own list/);
});
