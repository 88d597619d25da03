import type { Page } from '@playwright/test';
import {
  chooseAnalysis,
  chooseCondition,
  chooseIn,
  downloadedTable,
  explore,
  panel,
} from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';
import { beginWorkflow } from './support/workflow.ts';

test('what treated and untreated samples are made of is compared; sets of cells become groups that a figure can be split by, and a subset that says what it is of', async ({
  page,
}) => {
  await explore(page);
  await compareComposition(page);
  await page.keyboard.press('Escape');
  await compareSets(page);
});

async function compareComposition(page: Page): Promise<void> {
  const comparing = await beginWorkflow(page, 'Compare composition');
  const { card, run } = await chooseAnalysis(page, 'Composition Analysis');
  await expect(run).toBeDisabled();
  await chooseCondition(page, /^Treatment: Neoadjuvant.* against Untreated/);
  await expect(card.getByText(/^Patient: .*Samples are the replicates\.$/)).toBeVisible();
  await comparing.aside(async () => {
    await card.getByRole('combobox', { name: 'Scale' }).click();
    await page.getByRole('option', { name: 'Log odds of shares' }).click();
    await expectAccessible(page, card);
  });
  await run.click();
  const result = page.getByRole('tabpanel', { name: 'Composition Analysis' });
  await comparing.aside(async () => {
    await result.getByRole('button', { name: / categories, adjusted p < 0\.05$/ }).click();
    await expect(result.getByText(/^The shares of a sample add up to 1/)).toBeVisible();
    await expect(result.getByText(/^moderated t-tests of log odds of shares, ~ side/)).toBeVisible();
    await expectAccessible(page, result);
    await result.getByRole('tab', { name: /Full Table/ }).click();
    await expect(result.getByRole('columnheader', { name: 'Log odds ratio' })).toBeVisible();
    await expect(result.getByRole('button', { name: /^Visualize/ })).toHaveCount(0);
    const csv = await downloadedTable(page, result);
    expect(csv.name).toBe('composition.csv');
  });
  await result.getByRole('tab', { name: 'Composition Plot' }).click();
  await comparing.end({
    answer: result.getByRole('img', { name: /^Composition plot of/ }),
    next: [result.getByRole('button', { name: 'Download', exact: true })],
  });
}

async function compareSets(page: Page): Promise<void> {
  await panel(page, 'Set Algebra').click();
  await page.getByRole('button', { name: 'Groups of a column' }).click();
  const types = page.getByRole('group', { name: /^Groups of/ });
  for (const type of [/^T cell/, /^B cell/]) await types.getByRole('checkbox', { name: type }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'In all', exact: true }).click();
  await expect(page.getByText('0 cells in all: no cell is in both B cell and T cell.')).toBeVisible();
  await page.getByRole('button', { name: 'Use the sets as groups' }).click();
  await expect(page.getByText('Groups Created')).toBeVisible();
  await panel(page, 'Figures by Group').click();
  await page.getByRole('button', { name: 'Split by: Not split' }).click();
  const createdColumn = page
    .getByRole('list', { name: 'Split by' })
    .getByRole('button', { name: /^B Cell \| T Cell/i });
  await expect(createdColumn).toContainText('2 categories');
  await expect(createdColumn).toBeEnabled();
  await page.keyboard.press('Escape');

  await panel(page, 'Set Algebra').click();
  await page.getByRole('button', { name: 'Groups of a column' }).click();
  await page.getByRole('button', { name: /^Column: / }).click();
  await chooseIn(page, 'Column', /^Leiden/);
  await page
    .getByRole('group', { name: /^Groups of Leiden/ })
    .getByRole('checkbox')
    .first()
    .click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const table = page.getByRole('table', { name: 'Cells in each combination of the sets' });
  await expect(table.getByRole('checkbox', { name: /^none of/ })).toBeVisible();
  await page.getByRole('button', { name: 'Composition: Off' }).click();
  await chooseIn(page, 'Composition', /^Cell Type/);
  const shares = page.getByRole('table', { name: 'Share of each category of Cell Type in each of the sets' });
  await expect(shares.getByRole('row', { name: /^T cell .*100\.0 %/ })).toBeVisible();
  await expectAccessible(page, page.getByRole('region', { name: 'Analysis', exact: true }));
  await page.getByRole('button', { name: 'In any' }).click();
  await expect(page.getByText(/^[\d,]+ cells: .*T cell.* or /)).toBeVisible();
  await page.getByLabel('Name of the subset').fill('Any of them');
  await page.getByRole('button', { name: 'Save as subset' }).click();
  await expect(page.getByText('Subset Created')).toBeVisible();
  await page.getByRole('button', { name: 'Make active' }).click();
  await expect(page.getByText(/^[\d,]+ of [\d,]+ cells active$/)).toBeVisible();
}
