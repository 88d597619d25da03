import type { Locator, Page } from '@playwright/test';
import { chooseAnalysis, chooseGroup, clickAndNotice, explore } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { placeOf } from './support/settled.ts';
import { downloaded, expect, test } from './support/test.ts';

/** Opens DEG Analysis and chooses treated cells against untreated ones, within each cell type. */
async function compareTreated(page: Page): Promise<Locator> {
  await explore(page);
  const { card, run } = await chooseAnalysis(page, 'DEG Analysis');
  await expect(run).toBeDisabled();
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

test('treated cells are compared with untreated ones within each cell type, gene by gene, drawn as dots, ranked, and by a volcano', async ({
  page,
}) => {
  const card = await compareTreated(page);
  const run = card.locator('form').getByRole('button', { name: 'Run Analysis' });
  await card.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: /^Wilcoxon/ }).click();
  await expect(card.getByText(/^Patient: .*Each cell is taken for a replicate/)).toBeVisible();
  await expectAccessible(page, card);

  await clickAndNotice(page, run, 'Analysis Started');
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
  await expectAccessible(page, result);
  const shown = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(shown.name).toMatch(/^deg_analysis_epithelial_higher/i);
  const part = shown.bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(part.slice(1).every((line) => line.startsWith('Epithelial,'))).toBe(true);

  await result.getByRole('button', { name: 'Choose the rows and the format of the table' }).click();
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

  await drawSelected(page, result);
  await result.getByRole('tab', { name: 'Plots' }).click();
  await dragRankThreshold(page, result);
  await result.getByRole('button', { name: 'Volcano Plot', exact: true }).click();
  await result.getByRole('group', { name: /^Volcano Plot of/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(result.getByText(/: log2 fold change .*, adjusted p /)).toBeVisible();
  await expectAccessible(page, result);
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

test('a result of cell tests is run again by samples: by pseudobulk, with what to judge the design by, and by the negative binomial model', async ({
  page,
}) => {
  const card = await compareTreated(page);
  await expect(card.getByRole('combobox', { name: 'Method' })).toHaveText(/^Pseudobulk/);
  await expect(card.getByText(/^Patient: .*6 samples/)).toBeVisible();
  const result = page.getByRole('dialog', { name: 'DEG Analysis' });
  await card.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: /^Welch/ }).click();
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  await expect(result.getByText(/Pseudobulk takes samples for replicates\.$/)).toBeVisible();
  await result.getByRole('button', { name: 'Run pseudobulk instead' }).click();
  await expect(result.getByText(/limma-voom of pseudobulk sums/)).toBeVisible();
  await expect(
    result.getByText(/Treatment Neoadjuvant chemotherapy against Treatment Untreated within each group/),
  ).toBeVisible();
  await page.keyboard.press('Escape');

  await card.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: /^Pseudobulk/ }).click();
  await card.getByRole('button', { name: 'Add a covariate' }).click();
  await page
    .getByRole('list', { name: 'Covariates' })
    .getByRole('button', { name: /^Batch/ })
    .click();
  await expect(card.getByRole('button', { name: 'Remove the covariate Batch' })).toBeVisible();
  await expectAccessible(page, card);
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
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
  await expectAccessible(page, result);
  await result.getByRole('button', { name: 'Download Map of samples' }).click();
  const map = await downloaded(page, () => page.getByRole('menuitem', { name: /^SVG/ }).click());
  expect(map.name).toBe('deg_sample_map.svg');
  expect(map.bytes.toString()).toContain('TN01');

  const csv = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(csv.bytes.toString()).toContain(
    '\ngroup,names,logfoldchanges,ci_low,ci_high,mean_log_cpm,scores,pvals,pvals_adj\n',
  );
  await page.keyboard.press('Escape');
  await testByNegativeBinomials(page, card, result);
});

/** Draws the first two genes of the table as dots, by what was compared, and leaves none selected. */
async function drawSelected(page: Page, result: Locator): Promise<void> {
  const boxes = result.getByRole('table', { name: 'DEG Analysis' }).getByRole('checkbox');
  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await result.getByRole('button', { name: 'Dot Plot', exact: true }).click();
  const figure = page.getByRole('dialog', { name: /^Dot Plot of \d selected genes?/ });
  await expect(figure.getByRole('img', { name: /^Dot Plot of/ })).toBeVisible();
  await expectAccessible(page, figure);
  await figure.getByRole('button', { name: /^Download Dot Plot/ }).click();
  const svg = await downloaded(page, () => page.getByRole('menuitem', { name: /^SVG/ }).click());
  expect(svg.name).toBe('deg_analysis_selected_genes.svg');
  expect(svg.bytes.toString()).toContain('A: Treatment Neoadjuvant');
  await page.keyboard.press('Escape');
  await expect(figure).toHaveCount(0);
  await boxes.nth(0).click();
  await boxes.nth(1).click();
}

/** The rank plot has a threshold to drag. */
async function dragRankThreshold(page: Page, result: Locator): Promise<void> {
  await result.getByRole('button', { name: 'Rank Plot', exact: true }).click();
  const counts = result.getByRole('group', { name: 'Thresholds' }).getByRole('status');
  const asked = await counts.innerText();
  const line = result.getByRole('slider', { name: 'Adjusted p-value below' });
  const box = await placeOf(line);
  await page.mouse.move(box.x + box.width * 0.6, box.y + 7);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y - 40, { steps: 5 });
  await page.mouse.up();
  await expect(counts).not.toHaveText(asked);
  await result.getByRole('button', { name: 'Reset to what was asked' }).click();
  await expect(counts).toHaveText(asked);
}

/** The same samples, without the covariate, by the other model: with its caution and its dispersions. */
async function testByNegativeBinomials(page: Page, card: Locator, result: Locator): Promise<void> {
  await card.getByRole('button', { name: 'Remove the covariate Batch' }).click();
  await card.getByRole('button', { name: 'Options' }).click();
  await card.getByRole('checkbox', { name: 'Robust' }).click();
  await expectAccessible(page, card);
  await card.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: /^Negative binomial/ }).click();
  await expect(card.getByText(/more false discoveries pass than it promises/)).toBeVisible();
  // It has no variances to moderate.
  await expect(card.getByRole('button', { name: 'Options' })).toHaveCount(0);
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();

  await expect(
    result.getByText(/negative binomial Wald test of pseudobulk sums, ~ side, in \d+ groups/),
  ).toBeVisible();
  await expect(result.getByText(/The negative binomial test takes dispersions as known/)).toBeVisible();
  await result.getByRole('button', { name: /^A: / }).click();
  await expect(result.getByText(/drawn towards .* filtered out; /).first()).toBeVisible();
  await result.getByRole('button', { name: /^A: / }).click();
  await result.getByRole('tab', { name: 'Diagnostics' }).click();
  await expect(result.getByRole('img', { name: 'Mean and dispersion of the samples' })).toBeVisible();
  const csv = await downloaded(page, () => result.getByRole('button', { name: /^Download CSV/ }).click());
  expect(csv.bytes.toString()).toContain(
    '\ngroup,names,logfoldchanges,ci_low,ci_high,mean_count,dispersion,scores,pvals,pvals_adj\n',
  );
}

/** Runs the comparison of the form by a method, and leaves its result open. */
async function runComparison(page: Page, method: RegExp) {
  const card = page.getByRole('region', { name: 'Analysis' });
  await card.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: method }).click();
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const result = page.getByRole('dialog', { name: 'DEG Analysis' });
  await expect(result.getByText('DEG Analysis Complete')).toBeVisible();
  return result;
}

test('genes are coloured by dragged thresholds, selected in figure and table, saved and compared', async ({
  page,
}) => {
  await explore(page);
  const { card } = await chooseAnalysis(page, 'DEG Analysis');
  await chooseGroup(page, 'A: the cells of interest', /^Treatment/, /^Neoadjuvant/);
  await chooseGroup(page, 'B: compared with', /^Treatment/, /^Untreated/);
  const result = await runComparison(page, /^Wilcoxon/);
  await result.getByRole('tab', { name: 'Plots' }).click();

  // The line of the fold change is dragged towards 0: more genes pass.
  const counts = result.getByRole('group', { name: 'Thresholds' }).getByRole('status');
  const asked = await counts.innerText();
  const line = result.getByRole('slider', { name: /^Log2 fold change/ });
  const box = await placeOf(line);
  await page.mouse.move(box.x + box.width - 4, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 40, { steps: 5 });
  await page.mouse.up();
  await expect(line).not.toHaveAttribute('aria-valuenow', '1');
  await expect(counts).not.toHaveText(asked);
  await result.getByRole('button', { name: 'Reset to what was asked' }).click();
  await expect(counts).toHaveText(asked);

  // A box around everything on the right selects rows of the table.
  const chart = await placeOf(result.getByRole('group', { name: /^Volcano Plot of/ }));
  await page.mouse.move(chart.x + chart.width * 0.75, chart.y + chart.height * 0.12);
  await page.mouse.down();
  await page.mouse.move(chart.x + chart.width * 0.985, chart.y + chart.height * 0.86, { steps: 5 });
  await page.mouse.up();
  const selected = result.getByRole('group', { name: 'Selected genes' });
  await expect(selected.getByText(/^[\d,]+ genes? selected:/)).toBeVisible();
  await selected.getByRole('button', { name: 'Show these alone' }).click();
  await result.getByRole('tab', { name: /Full Table/ }).click();
  const rows = result.getByRole('table', { name: 'DEG Analysis' }).getByRole('checkbox');
  await expect(rows.first()).toBeChecked();
  const first = (await rows.first().getAttribute('aria-label'))!.replace('Select ', '');
  await rows.first().click();
  await result.getByRole('tab', { name: 'Plots' }).click();
  await expect(selected).not.toContainText(` ${first},`);
  await selected.getByRole('button', { name: 'Clear the selection' }).click();

  await result.getByRole('button', { name: 'MA Plot', exact: true }).click();
  const figure = await downloaded(page, () =>
    result.getByRole('button', { name: 'Download MA Plot' }).click(),
  );
  expect(figure.name).toBe('deg_ma_plot.png');
  expect(figure.bytes.subarray(1, 4).toString()).toBe('PNG');
  for (const [format, magic] of [
    ['xlsx', 'PK'],
    ['parquet', 'PAR1'],
  ] as const) {
    await result.getByRole('button', { name: 'Choose the rows and the format of the table' }).click();
    const file = await downloaded(page, () =>
      page.getByRole('menuitem', { name: new RegExp(`^${format} of all genes`, 'i') }).click(),
    );
    expect(file.name).toBe(`deg_analysis.${format}`);
    expect(file.bytes.subarray(0, magic.length).toString()).toBe(magic);
  }

  await page.keyboard.press('Escape');
  await runComparison(page, /^Welch/);
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: /^More for DEG Analysis.*Welch/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: /^Name of/ }).fill('By means');
  await page.keyboard.press('Enter');
  await page.reload();
  await card.getByRole('button', { name: /^More for By means/ }).click();
  await page.getByRole('menuitem', { name: /^DEG Analysis/ }).click();
  const compared = page.getByRole('dialog', { name: 'Compare Results' });
  await expect(compared.getByText(/genes of both: Pearson 1\.000, Spearman 1\.000/)).toBeVisible();
  await expectAccessible(page, compared);
  await compared.getByRole('button', { name: /^Pass in both: [1-9]/ }).click();
  await expect(compared.getByRole('row').nth(1)).toContainText('both');
});
