import type { Locator, Page } from '@playwright/test';
import { chooseGroup, explore, panel } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';

/** Opens DEG Analysis and chooses treated cells against untreated ones, within each cell type. */
async function compareTreated(page: Page): Promise<Locator> {
  await explore(page);
  await panel(page, 'Run Analysis').click();
  const card = page.getByRole('region', { name: 'Analysis' });
  await card.getByRole('combobox', { name: 'Analysis Type' }).click();
  await page.getByRole('option', { name: 'DEG Analysis' }).click();
  await expect(card.locator('form').getByRole('button', { name: 'Run Analysis' })).toBeDisabled();
  await chooseGroup(page, 'A: the cells of interest', /^Treatment/, /^Neoadjuvant/);
  await chooseGroup(page, 'B: compared with', /^Treatment/, /^Untreated/);
  await expect(card.getByText(/^Of the active cells: [\d,]+ cells in A, [\d,]+ cells in B\.$/)).toBeVisible();
  await page.getByRole('button', { name: /^Within each group of: / }).click();
  await page
    .getByRole('list', { name: 'Within each group of' })
    .getByRole('button', { name: /^Cell Type/i })
    .click();
  return card;
}

test('treated cells are compared with untreated ones within each cell type, gene by gene', async ({
  page,
}) => {
  const card = await compareTreated(page);
  const run = card.locator('form').getByRole('button', { name: 'Run Analysis' });
  await card.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: /^Wilcoxon/ }).click();
  await expect(card.getByText(/^Patient: .*Each cell is taken for a replicate/)).toBeVisible();
  await expectAccessible(page);

  await run.click();
  await expect(page.getByText('Analysis Started')).toBeVisible();
  const result = page.getByRole('dialog', { name: 'DEG Analysis' });
  await expect(result.getByText('DEG Analysis Complete')).toBeVisible();
  await expect(result.getByText(/cells of A are of 3 samples and those of B of 3 samples/)).toBeVisible();
  await expect(result.getByRole('img', { name: /^Volcano plot/ })).toBeVisible();

  await result.getByRole('tab', { name: /Full Table/ }).click();
  await result.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: /^Epithelial/ }).click();
  await result.getByRole('combobox', { name: 'Direction' }).click();
  await page.getByRole('option', { name: 'Higher in A' }).click();
  await result.getByLabel('Adjusted p-value below').fill('0.05');
  const status = result.getByRole('status').filter({ hasText: /^\d[\d,]* of [\d,]+ rows$/ });
  await expect(status).toBeVisible();
  await expectAccessible(page);
  const shown = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(shown.name).toMatch(/^deg_analysis_epithelial_higher/i);
  const part = shown.bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(part.slice(1).every((line) => line.startsWith('Epithelial,'))).toBe(true);

  await result.getByRole('button', { name: 'Choose the rows of the CSV' }).click();
  const whole = await downloaded(page, () =>
    page.getByRole('menuitem', { name: /^CSV of all genes/ }).click(),
  );
  expect(whole.name).toBe('deg_analysis.csv');
  const text = whole.bytes.toString();
  expect(text).toMatch(
    /^# Data: .*version [0-9a-f]+; all cells\n# A: .*Neoadjuvant chemotherapy, [\d,]+ cells; B: /,
  );
  expect(text).toContain(
    '\ngroup,names,scores,logfoldchanges,pvals,pvals_adj,pct_nz_a,pct_nz_b,mean_a,mean_b,auc\n',
  );
  const [, groups = '', genes = ''] = /tests were made in (\d+) groups; .* over the ([\d,]+) genes/.exec(
    text,
  )!;
  const rows = text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  expect(rows).toHaveLength(1 + Number(groups) * Number(genes.replaceAll(',', '')));

  await result.getByRole('tab', { name: 'Volcano Plot' }).click();
  await result.getByRole('group', { name: /^Volcano plot of/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(result.getByText(/: log2 fold change .*, adjusted p /)).toBeVisible();
  await expectAccessible(page);
  const figure = await downloaded(page, () =>
    result
      .getByRole('button', { name: /^Download Volcano Plot/ })
      .first()
      .click(),
  );
  expect(figure.name).toMatch(/^deg_volcano.*\.png$/);
  await result
    .getByRole('button', { name: /^Visualize / })
    .last()
    .click();
  await expect(result).toHaveCount(0);
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
  await expect(page.getByText('Gene UMAP Generated')).toBeVisible();
});

test('samples are compared within each cell type by pseudobulk, with what to judge the design by', async ({
  page,
}) => {
  const card = await compareTreated(page);
  await expect(card.getByRole('combobox', { name: 'Method' })).toHaveText(/^Pseudobulk/);
  await expect(card.getByText(/^Patient: .*6 samples/)).toBeVisible();
  await card.getByRole('button', { name: 'Add a covariate' }).click();
  await page
    .getByRole('list', { name: 'Covariates' })
    .getByRole('button', { name: /^Batch/ })
    .click();
  await expect(card.getByRole('button', { name: 'Remove the covariate Batch' })).toBeVisible();
  await expectAccessible(page);
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();

  const result = page.getByRole('dialog', { name: 'DEG Analysis' });
  await expect(
    result.getByText(/limma-voom of pseudobulk sums, ~ side \+ batch, in \d+ groups/),
  ).toBeVisible();
  await result.getByRole('button', { name: /^A: / }).click();
  const design = result.getByRole('table', { name: 'Models and samples' });
  await expect(design.getByRole('row', { name: /^Epithelial ~ side \+ batch 3 \+ 3 / })).toBeVisible();
  await result.getByRole('button', { name: /^A: / }).click();

  await result.getByRole('tab', { name: 'Diagnostics' }).click();
  await result.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: /^Epithelial: 6 samples/ }).click();
  for (const title of ['Map of samples', 'Design', 'Mean and variance', 'P-values', 'One gene by sample']) {
    await expect(result.getByRole('img', { name: `${title} of the samples` })).toBeVisible();
  }
  await expectAccessible(page);
  await result.getByRole('button', { name: 'Download Map of samples' }).click();
  const map = await downloaded(page, () => page.getByRole('menuitem', { name: /^SVG/ }).click());
  expect(map.name).toBe('deg_sample_map.svg');
  expect(map.bytes.toString()).toContain('TN01');

  const csv = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(csv.bytes.toString()).toContain(
    '\ngroup,names,logfoldchanges,ci_low,ci_high,mean_log_cpm,scores,pvals,pvals_adj\n',
  );
});

test('a result of cell tests is run again by samples, of the same sets', async ({ page }) => {
  const card = await compareTreated(page);
  await card.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: /^Welch/ }).click();
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const result = page.getByRole('dialog', { name: 'DEG Analysis' });
  await expect(result.getByText(/Pseudobulk takes samples for replicates\.$/)).toBeVisible();
  await result.getByRole('button', { name: 'Run pseudobulk instead' }).click();
  await expect(result.getByText(/limma-voom of pseudobulk sums/)).toBeVisible();
  await expect(
    result.getByText(/Treatment Neoadjuvant chemotherapy against Treatment Untreated within each group/),
  ).toBeVisible();
});
