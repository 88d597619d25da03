import { chooseAnalysis, explore, explorerAddress, viewer } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { description } from './support/scripted-model.ts';
import { expect, test } from './support/test.ts';
import { becomeProfessional } from './support/upload-page.ts';

test('a user finds markers and tests a group of them for enrichment, and learns that AI analysis needs another plan', async ({
  page,
}) => {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'Marker Analysis');
  await expect(card.getByRole('combobox', { name: 'Group By' })).toContainText('Cell type');
  await run.click();
  const markers = page.getByRole('tabpanel', { name: 'Marker Analysis' });
  await expect(markers.getByRole('img', { name: /Dot plot/ })).toBeVisible();

  await markers.getByRole('tab', { name: /Full Table/ }).click();
  await markers.getByLabel('Search the table').fill('t cell');
  await markers.getByRole('button', { name: 'Gene', exact: true }).click();
  await expect(markers.getByRole('columnheader', { name: 'Gene' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(markers.getByRole('status')).toHaveText(/^10 of \d+ rows$/);
  await markers.getByRole('button', { name: 'Enrich 10 Genes' }).click();

  await expect(card.getByText(/^10 unique genes/)).toBeVisible();
  await expect(card.getByRole('combobox', { name: 'Library' })).toContainText('KEGG 2021, abridged');
  await run.click();
  const enrichment = page.getByRole('tabpanel', { name: 'Gene Set Enrichment Analysis' });
  await expect(enrichment.getByRole('img', { name: /Bar plot/ })).toBeVisible();
  await enrichment.getByRole('tab', { name: /Full Table/ }).click();
  await enrichment.getByRole('button', { name: /^Visualize (First 4 of )?\d+ Genes?$/ }).click();
  await expect(page.getByText('Gene UMAP Generated')).toBeVisible();

  await viewer(page)
    .getByRole('button', { name: /^AI analysis of/ })
    .first()
    .click();
  await expect(page.getByText('AI analysis is available for Professional plan users only.')).toBeVisible();
});

test('AI analysis describes a figure to Professional users, who can copy its text', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await becomeProfessional(page);
  await page.goto(explorerAddress);
  let release = () => {};
  const gate = new Promise<void>((done) => (release = done));
  await page.route('**/functions/v1/analyze-image', async (route) => {
    await gate;
    await route.continue();
  });
  await viewer(page)
    .getByRole('button', { name: /^AI analysis of Cell types/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Analyzing Image' })).toBeVisible();
  release();
  const dialog = page.getByRole('dialog', { name: 'AI Analysis' });
  await expect(dialog.getByRole('region', { name: 'Analysis' })).toContainText(description);
  await expect(page.getByText('Analysis Complete')).toBeVisible();
  await expectAccessible(page, dialog);
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied to clipboard')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(description);
});
