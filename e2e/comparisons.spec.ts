import type { Locator, Page } from '@playwright/test';
import {
  chooseAnalysis,
  chooseCondition,
  chooseFile,
  chooseIn,
  clickAndNotice,
  downloadedTable,
  explore,
  viewer,
} from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, test, placeOf } from './support/test.ts';
import { beginWorkflow, type Workflow } from './support/workflow.ts';

test('treated samples are compared with untreated ones within each cell type, with figures to judge the design by; genes are selected by mouse and filed, sets of them ranked, and results compared', async ({
  page,
}) => {
  await explore(page);
  const comparing = await beginWorkflow(page, 'Compare conditions by sample');
  const { card, run } = await chooseAnalysis(page, 'DEG Analysis');
  await expect(run).toBeDisabled();
  await chooseCondition(page, /^Treatment: Neoadjuvant.* against Untreated/);
  await expect(card.getByText(/^Of the active cells: [\d,]+ cells in A, [\d,]+ cells in B\.$/)).toBeVisible();
  // Conditions are compared within each type unless all cells together are chosen.
  await expect(card.getByRole('button', { name: /^Within each group of: Cell Type/i })).toBeVisible();
  await card.getByRole('button', { name: 'Add a covariate' }).click();
  await chooseIn(page, 'Covariates', /^Batch/);
  await comparing.aside(async () => {
    await card.getByRole('button', { name: 'Options' }).click();
    await expect(card.getByText(/^Patient: .*6 samples/)).toBeVisible();
    await expectAccessible(page, card);
  });

  await clickAndNotice(page, run, 'Analysis Started');
  const result = page.getByRole('tabpanel', { name: 'DEG Analysis' });
  await expect(result.getByText('DEG Analysis Complete')).toBeVisible();
  await expect(
    result.getByText(/limma-voom of pseudobulk sums, ~ side \+ batch, in \d+ groups/),
  ).toBeVisible();
  await result.getByRole('button', { name: /^A: / }).click();
  const design = result.getByRole('table', { name: 'Models and samples' });
  await comparing.end({
    answer: design.getByRole('row', { name: /^Epithelial ~ side \+ batch 3 \+ 3 / }),
    next: [
      result.getByRole('button', { name: /^Ranked enrichment \(GSEA\)/ }),
      result.getByRole('button', { name: 'Download', exact: true }),
    ],
  });
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

  await card.getByRole('combobox', { name: 'Method' }).click();
  await page.getByRole('option', { name: /^Wilcoxon/ }).click();
  await run.click();
  await expect(result.getByText(/Use pseudobulk\.$/)).toBeVisible();

  await page.getByRole('button', { name: 'Full screen' }).click();
  await result.getByRole('tab', { name: 'Plots' }).click();
  // The line of the fold change is dragged towards 0: more genes pass.
  const counts = result.getByRole('group', { name: 'Thresholds' }).getByRole('status');
  const initialText = await counts.innerText();
  const line = result.getByRole('slider', { name: /^Log2 fold change/ });
  const box = await placeOf(line);
  await page.mouse.move(box.x + box.width - 4, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 40, { steps: 5 });
  await page.mouse.up();
  await expect(line).not.toHaveAttribute('aria-valuenow', '1');
  await expect(counts).not.toHaveText(initialText);
  await result.getByRole('button', { name: 'Reset thresholds' }).click();
  await expect(counts).toHaveText(initialText);

  // A box around everything on the right selects rows of the table.
  const chart = await placeOf(result.getByRole('group', { name: /^Volcano Plot of/ }));
  await page.mouse.move(chart.x + chart.width * 0.75, chart.y + chart.height * 0.12);
  await page.mouse.down();
  await page.mouse.move(chart.x + chart.width * 0.985, chart.y + chart.height * 0.86, { steps: 5 });
  await page.mouse.up();
  const selected = result.getByRole('group', { name: 'Selected genes' });
  await expect(selected.getByText(/^[\d,]+ genes? selected:/)).toBeVisible();
  await expectAccessible(page, result);
  await selected.getByRole('button', { name: 'Show these alone' }).click();
  await result.getByRole('tab', { name: /Full Table/ }).click();
  const rows = result.getByRole('table', { name: 'DEG Analysis' }).getByRole('checkbox');
  await expect(rows.first()).toBeChecked();
  await expectAccessible(page, result);
  const file = await downloaded(page, () => chooseFile(page, result, /^Table of selected/, /^XLSX/));
  expect(file.name).toMatch(/^deg_analysis.*selected.*\.xlsx$/);
  expect(file.bytes.subarray(0, 2).toString()).toBe('PK');

  await result.getByRole('tab', { name: 'Plots' }).click();
  const picture = await downloaded(page, () => chooseFile(page, result, /^Volcano Plot of/, /^PNG\s*For/));
  expect(picture.name).toMatch(/^deg_volcano.*\.png$/);
  expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');

  const ranking = await beginWorkflow(page, 'Rank gene sets');
  await result.getByRole('button', { name: 'Ranked enrichment (GSEA)' }).click();
  await expect(card.getByRole('combobox', { name: 'Comparison' })).toHaveText(/^Comparing Treatment Neo/);
  await rankSets(page, card, ranking);

  await card.getByRole('button', { name: /^More about DEG Analysis.*Wilcoxon/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: /^Name of/ }).fill('By cells');
  await page.keyboard.press('Enter');
  await card.getByRole('button', { name: /^More about By cells/ }).click();
  await page.getByRole('menuitem', { name: /^DEG Analysis/ }).click();
  const compared = page.getByRole('tabpanel', { name: 'Compare Results' });
  await expect(compared.getByText(/genes of both: Pearson 0\.\d{3}, Spearman 0\.\d{3}/)).toBeVisible();
  await expectAccessible(page, compared);
  const rendered = compared.getByRole('table', { name: 'Compared Genes' }).getByRole('row');
  expect(await rendered.count(), 'rows rendered of thousands').toBeLessThan(100);
  await compared.getByRole('button', { name: /^In 2 only: [1-9]/ }).click();
  await expect(compared.getByRole('row').nth(1)).toContainText('second only');
});

async function rankSets(page: Page, card: Locator, ranking: Workflow): Promise<void> {
  await card.getByRole('combobox', { name: 'Library' }).click();
  await page.getByRole('option', { name: /Hallmark/ }).click();
  await card.getByLabel('Permutations').fill('200');
  await card.locator('form').getByRole('button', { name: 'Run Analysis' }).click();
  const result = page.getByRole('tabpanel', { name: 'Ranked Enrichment (GSEA)' });
  await expect(result.getByText(/^Ranked: [\d,]+ genes · \d+ sets tested/)).toBeVisible();
  await ranking.aside(async () => {
    const csv = await downloadedTable(page, result);
    expect(csv.name).toBe('ranked_enrichment.csv');
  });
  await result.getByRole('tab', { name: 'Running Score' }).click();
  const second = result.getByRole('list', { name: 'Sets' }).getByRole('button').nth(1);
  const term = ((await second.locator('span').first().textContent()) ?? '').trim();
  await second.click();
  await expect(result.getByRole('img', { name: `Running score of ${term}` })).toBeVisible();
  await ranking.aside(async () => {
    await expectAccessible(page, result);
    const svg = await downloaded(page, async () => {
      await result.getByRole('button', { name: `Download Running score of ${term}` }).click();
      await page.getByRole('menuitem', { name: /^SVG/ }).click();
    });
    expect(svg.bytes.toString()).toContain('running score');
    await result.getByRole('tab', { name: 'Dot Plot of Leading Edge' }).click();
    await expect(result.getByRole('img', { name: `Dot plot of the leading edge of ${term}` })).toBeVisible();
    await result.getByRole('button', { name: 'Save as List' }).click();
    await page.getByRole('button', { name: 'Save list' }).click();
    await expect(page.getByText(new RegExp(`leading edge: \\d+ genes?\\.`))).toBeVisible();
  });
  await result.getByRole('button', { name: /^Visualize (First 4 of )?\d+ Genes?$/ }).click();
  await ranking.end({
    answer: viewer(page).getByRole('img', { name: /Expression UMAP/ }),
    next: [card.getByRole('button', { name: /^View results: Ranked Enrichment/ })],
  });
}
