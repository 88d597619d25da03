import type { Locator, Page } from '@playwright/test';
import { chooseAnalysis, downloadedTable, explore, pickAnalysis } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { downloaded, expect, linesOf, test } from './support/test.ts';
import { beginWorkflow } from './support/workflow.ts';

test('cells are compared by the expression of a gene, at its ends and along it, and ordered from the tip of a group, with figures, the genes and a file of the cells', async ({
  page,
}) => {
  await explore(page);
  await page.setViewportSize({ width: 1024, height: 768 });
  const { card } = await chooseAnalysis(page, 'Top/Bottom Decile Expression Profiling');
  const name = card.getByRole('heading', { name: /^Top\/Bottom/ });
  expect(await name.evaluate((text) => text.scrollWidth <= text.clientWidth), 'a name that is not cut').toBe(
    true,
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await compareEnds(page, card);
  await pickAnalysis(page, 'Gradient Analysis');
  await testAlong(page, card);
  await orderCells(page, card);
});

async function nameOfTable(page: Page, result: Locator): Promise<string> {
  return (await downloadedTable(page, result)).name;
}

const runOf = (card: Locator) => card.locator('form').getByRole('button', { name: 'Run Analysis' });

async function chooseGene(card: Locator, gene: string): Promise<void> {
  const box = card.getByRole('combobox', { name: 'Gene', exact: true });
  await box.fill(gene);
  await box.press('Enter');
}

async function compareEnds(page: Page, card: Locator): Promise<void> {
  await expect(runOf(card)).toBeDisabled();
  await chooseGene(card, 'EPCAM');
  await expect(card.getByText(/^Active cells are ranked within each sample/)).toBeVisible();
  await expectAccessible(page, card);
  await runOf(card).click();
  const result = page.getByRole('tabpanel', { name: 'Top/Bottom Decile Expression Profiling' });
  await expect(result.getByText(/^The ends differ in /)).toBeVisible();
  await result
    .getByRole('button', { name: /^Ends: ranked by the expression of EPCAM within \d+ samples/ })
    .click();
  await expect(result.getByRole('table', { name: /^Ends of each / })).toBeVisible();
  await expectAccessible(page, result);
  expect(await nameOfTable(page, result)).toBe('decile_profiling.csv');
  await result.getByRole('tab', { name: 'Ends' }).click();
  await expect(result.getByRole('img', { name: /^Ends of the Top\/Bottom Decile/ })).toBeVisible();
  await result.getByRole('tab', { name: 'Composition' }).click();
  await expect(result.getByRole('img', { name: /^Composition of the Top\/Bottom Decile/ })).toBeVisible();
  await result.getByRole('tab', { name: 'Diagnostics' }).click();
  await expect(result.getByRole('img', { name: 'Genes by sample of the samples' })).toBeVisible();
}

async function seeFigures(result: Locator, along: string, ...figures: string[]): Promise<void> {
  for (const figure of figures) {
    await result.getByRole('radio', { name: figure }).click();
    await expect(result.getByRole('img', { name: new RegExp(`^${figure}, ${along} `) })).toBeVisible();
  }
}

async function testAlong(page: Page, card: Locator): Promise<void> {
  await expect(runOf(card)).toBeDisabled();
  await card.getByRole('combobox', { name: 'Axis' }).click();
  await page.getByRole('option', { name: 'Expression of a gene' }).click();
  await chooseGene(card, 'CD68');
  await expectAccessible(page, card);
  await runOf(card).click();
  const result = page.getByRole('tabpanel', { name: 'Gradient Analysis' });
  await result.getByRole('button', { name: /^Axis: the expression of CD68 .* within \d+ samples/ }).click();
  await expect(result.getByText('the gene of the axis: CD68')).toBeVisible();
  await result.getByRole('tab', { name: 'Figures' }).click();
  await expect(result.getByRole('img', { name: /^Heatmap of genes, along / })).toBeVisible();
  await seeFigures(result, 'along', 'Curves of genes', 'The axis on the UMAP');
  await expectAccessible(page, result);
  const picture = await downloaded(page, async () => {
    await result.getByRole('button', { name: 'Download The axis on the UMAP' }).click();
    await page.getByRole('menuitem', { name: /^SVG/ }).click();
  });
  expect(await nameOfTable(page, result)).toBe('gradient_genes.csv');
  expect(picture.name).toBe('gradient_umap.svg');
  expect(picture.bytes.toString()).toContain('the expression of CD68');
}

async function orderCells(page: Page, card: Locator): Promise<void> {
  const ordering = await beginWorkflow(page, 'Order cells');
  await pickAnalysis(page, 'Trajectory Analysis');
  await card.getByRole('combobox', { name: /^Root/ }).click();
  await page.getByRole('option', { name: 'The tip of a group' }).click();
  await expect(runOf(card)).toBeDisabled();
  await card.getByRole('combobox', { name: 'Group of the root' }).click();
  await page.getByRole('option', { name: 'Macrophage' }).click();
  await expectAccessible(page, card);
  await runOf(card).click();
  const result = page.getByRole('tabpanel', { name: 'Trajectory Analysis' });
  await expect(result.getByText(/^The graph has \d+ separate parts/)).toBeVisible();
  await ordering.aside(async () => {
    await result.getByRole('button', { name: /^Root: .*\(Macrophage\)/ }).click();
    await expect(result.getByRole('table', { name: 'PAGA connectivities' })).toBeVisible();
  });
  await expect(result.getByRole('img', { name: /^Pseudotime on the UMAP, from / })).toBeVisible();
  await ordering.aside(() => seeFigures(result, 'from', 'PAGA graph of the groups', 'Heatmap of genes'));
  await seeFigures(result, 'from', 'Curves of genes');
  await ordering.end({
    answer: result.getByRole('img', { name: /^Curves of genes, from / }),
    next: [result.getByRole('button', { name: 'Pseudotime of each cell, CSV' })],
  });
  await expectAccessible(page, result);
  expect(await nameOfTable(page, result)).toBe('trajectory_genes.csv');
  const cells = await downloaded(page, () =>
    result.getByRole('button', { name: 'Pseudotime of each cell, CSV' }).click(),
  );
  const lines = linesOf(cells.bytes);
  expect(lines[0]).toBe('barcode,cell_type,pseudotime');
  expect(lines.filter((line) => line.endsWith(',0'))).toHaveLength(1);
}
