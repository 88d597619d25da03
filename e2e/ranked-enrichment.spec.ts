import type { Page } from '@playwright/test';
import { explore, panel, select } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';

/** Compares two cell types in the open panel, and returns the dialog of the result. */
async function compareTypes(page: Page) {
  const card = page.getByRole('region', { name: 'Analysis' });
  await select(page, 'Analysis Type', 'DEG Analysis');
  for (const [side, group] of [
    ['A: the cells of interest', /^Epithelial/],
    ['B: compared with', /^T cell/],
  ] as const) {
    await page.getByRole('button', { name: new RegExp(`^${side}: `) }).click();
    await page.getByRole('button', { name: /^Column: / }).click();
    await page
      .getByRole('list', { name: 'Column' })
      .getByRole('button', { name: /^Cell Type/i })
      .click();
    await page
      .getByRole('group', { name: /^Groups of/ })
      .getByRole('checkbox', { name: group })
      .first()
      .click();
    await page.getByRole('button', { name: 'Use these groups' }).click();
  }
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const result = page.getByRole('dialog', { name: 'DEG Analysis' });
  await expect(result.getByText('DEG Analysis Complete')).toBeVisible();
  return { card, result };
}

test('the genes of a comparison are ranked, a set’s running score is seen, and its leading edge kept as a list', async ({
  page,
}) => {
  await explore(page);
  await panel(page, 'Run Analysis').click();
  await select(page, 'Analysis Type', 'Ranked Enrichment (GSEA)');
  await expect(page.getByText(/^No comparison was run yet/)).toBeVisible();
  await expectAccessible(page, page.getByRole('region', { name: 'Analysis' }));
  const { card, result: comparison } = await compareTypes(page);
  await comparison.getByRole('button', { name: 'Ranked enrichment (GSEA)' }).click();
  await expect(card.getByRole('combobox', { name: 'Analysis Type' })).toHaveText('Ranked Enrichment (GSEA)');
  await expect(card.getByRole('combobox', { name: 'Comparison' })).toHaveText(
    'Comparing Epithelial with T cell, all 5,198 cells: pseudobulk of samples',
  );
  await card.getByRole('combobox', { name: 'Library' }).click();
  await page.getByRole('option', { name: /Hallmark/ }).click();
  await card.getByLabel('Permutations').fill('200');
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();

  const result = page.getByRole('dialog', { name: 'Ranked Enrichment (GSEA)' });
  await expect(result.getByText('Ranked Enrichment (GSEA) Complete')).toBeVisible();
  await expect(result.getByText(/^Ranked: [\d,]+ genes · \d+ sets tested/)).toBeVisible();
  const file = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(file.name).toBe('ranked_enrichment.csv');
  expect(file.bytes.toString()).toContain('\nTerm,ES,NES,NOM p-val,FDR q-val,FWER p-val,Size,');

  await result.getByRole('tab', { name: 'Running Score' }).click();
  const sets = result.getByRole('list', { name: 'Sets' });
  const second = sets.getByRole('button').nth(1);
  const term = ((await second.locator('span').first().textContent()) ?? '').trim();
  await second.click();
  await expect(result.getByRole('img', { name: `Running score of ${term}` })).toBeVisible();
  await expectAccessible(page, result);
  const svg = await downloaded(page, () => result.getByRole('button', { name: 'SVG' }).click());
  expect(svg.bytes.toString()).toContain('running score');
  await result.getByRole('tab', { name: 'Dot Plot of Leading Edge' }).click();
  await expect(result.getByRole('img', { name: `Dot plot of the leading edge of ${term}` })).toBeVisible();

  await result.getByRole('button', { name: 'Save as List' }).click();
  await page.getByRole('button', { name: 'Save list' }).click();
  await expect(page.getByText('Gene List Saved')).toBeVisible();
  await expect(page.getByText(new RegExp(`leading edge: \\d+ genes?\\.`))).toBeVisible();
});

test('genes higher on one side of a comparison go to the enrichment with the expressed genes as background', async ({
  page,
}) => {
  await explore(page);
  await panel(page, 'Run Analysis').click();
  const { card, result } = await compareTypes(page);
  const higher = result.getByRole('button', { name: /^Enrichment of [\d,]+ genes higher in A$/ });
  const count = /of ([\d,]+) genes/.exec((await higher.textContent()) ?? '')![1]!;
  await higher.click();
  await expect(card.getByText(`${count} unique genes. Separate them by commas`)).toBeVisible();
  await expect(card.getByRole('combobox', { name: 'Background' })).toHaveText('My own list');
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const found = page.getByRole('dialog', { name: 'Gene Set Enrichment Analysis' });
  await expect(found.getByText(/Background: [\d,]+ genes of your own list/)).toBeVisible();
});
