import { chooseAnalysis, clickAndNotice, explore } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';

// The server refuses a signature of genes that the dataset does not have.
test.use({ expectedErrors: /Failed to load resource.*422/ });

test('genes along the expression of a gene are tested within samples, drawn, filed and gone on with', async ({
  page,
}) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Gradient Analysis');
  await expect(run).toBeDisabled();

  // No gene of the signature is in the dataset: the server says so.
  await card.getByRole('combobox', { name: 'Axis' }).click();
  await page.getByRole('option', { name: 'Score of a signature' }).click();
  await card.getByLabel('Genes of the signature').fill('NOSUCHGENE1, NOSUCHGENE2');
  await run.click();
  await expect(card.getByRole('alert')).toContainText('NOSUCHGENE1');

  await card.getByRole('combobox', { name: 'Axis' }).click();
  await page.getByRole('option', { name: 'Line from one group to another' }).click();
  await page.getByRole('button', { name: /^Groups of: / }).click();
  await page
    .getByRole('list', { name: 'Groups of' })
    .getByRole('button', { name: /^Cell Type/i })
    .click();
  for (const end of ['From', 'To']) {
    await card.getByRole('combobox', { name: `${end} the centre of` }).click();
    await page.getByRole('option', { name: 'Macrophage' }).click();
  }
  await expect(card.getByText('Choose two groups: the line goes from one to the other.')).toBeVisible();
  await expect(run).toBeDisabled();

  await card.getByRole('combobox', { name: 'Axis' }).click();
  await page.getByRole('option', { name: 'Expression of a gene' }).click();
  await card.getByRole('combobox', { name: 'Gene' }).fill('CD68');
  await card.getByRole('combobox', { name: 'Gene' }).press('Enter');
  await expectAccessible(page, card);
  await clickAndNotice(page, run, 'Analysis Started');
  const result = page.getByRole('dialog', { name: 'Gradient Analysis' });
  await expect(result.getByText('Gradient Analysis Complete')).toBeVisible();
  await result.getByRole('button', { name: /^Axis: the expression of CD68 .* within \d+ samples/ }).click();
  await expect(result.getByText('the gene of the axis: CD68')).toBeVisible();
  await expectAccessible(page, result);
  await result.getByRole('button', { name: /^Axis: / }).click();

  await result.getByRole('tab', { name: 'Figures' }).click();
  await expect(result.getByRole('img', { name: /^Heatmap of genes, along / })).toBeVisible();
  for (const figure of ['Curves of genes', 'The axis on the UMAP']) {
    await result.getByRole('combobox', { name: 'Figure' }).click();
    await page.getByRole('option', { name: figure }).click();
    await expect(result.getByRole('img', { name: new RegExp(`^${figure}, along `) })).toBeVisible();
  }
  const picture = await downloaded(page, () =>
    result.getByRole('button', { name: 'Download The axis on the UMAP as SVG' }).click(),
  );
  expect(picture.name).toBe('gradient_umap.svg');
  expect(picture.bytes.toString()).toContain('the expression of CD68');

  const table = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(table.name).toBe('gradient_genes.csv');
  const text = table.bytes.toString();
  expect(text).toContain('\nnames,rho,pvals,pvals_adj,samples,agreeing,rho_all_cells,f,');
  expect(text).toMatch(/^# Axis: the expression of CD68/m);
  expect(text).toMatch(/^CD68,,,,/m);

  await result.getByRole('button', { name: 'Ranked enrichment (GSEA)' }).click();
  await expect(card.getByRole('combobox', { name: 'Analysis Type' })).toContainText('Ranked Enrichment');
});
