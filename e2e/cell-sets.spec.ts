import { expect } from '@playwright/test';
import { explore, panel } from './support/explorer.ts';
import { test } from './support/test.ts';

test('the cells that two groups share become a subset, which says what it is of', async ({ page }) => {
  await explore(page);
  await panel(page, 'Compare Cell Sets').click();
  await page.getByRole('button', { name: 'Groups of a column' }).click();
  await page
    .getByRole('group', { name: /^Groups of/ })
    .getByRole('checkbox', { name: /^T cell/ })
    .click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Groups of a column' }).click();
  await page.getByRole('button', { name: /^Column: / }).click();
  await page
    .getByRole('list', { name: 'Column' })
    .getByRole('button', { name: /^Leiden/ })
    .click();
  await page
    .getByRole('group', { name: /^Groups of Leiden/ })
    .getByRole('checkbox')
    .first()
    .click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const table = page.getByRole('table', { name: 'Cells in each combination of the sets' });
  await expect(table.getByRole('checkbox', { name: /^none of/ })).toBeVisible();
  await page.getByRole('button', { name: 'Made of: Not shown' }).click();
  await page
    .getByRole('list', { name: 'Made of' })
    .getByRole('button', { name: /^Cell Type/ })
    .click();
  const made = page.getByRole('table', { name: 'Share of each category of Cell Type in each of the sets' });
  await expect(made.getByRole('row', { name: /^T cell 100\.0 %/ })).toBeVisible();
  await page.getByRole('button', { name: 'In any' }).click();
  await expect(page.getByText(/^[\d,]+ cells: T cell or /)).toBeVisible();
  await page.getByLabel('Name of the subset').fill('Either of them');
  await page.getByRole('button', { name: 'Save as subset' }).click();
  await expect(page.getByText('Subset Created')).toBeVisible();
  await expect(page.getByText(/^[\d,]+ of [\d,]+ cells active$/)).toBeVisible();
});

test('two types share no cell, which is said, and become groups that a figure can be split by', async ({
  page,
}) => {
  await explore(page);
  await panel(page, 'Compare Cell Sets').click();
  await page.getByRole('button', { name: 'Groups of a column' }).click();
  const groups = page.getByRole('group', { name: /^Groups of/ });
  await groups.getByRole('checkbox', { name: /^T cell/ }).click();
  await groups.getByRole('checkbox', { name: /^B cell/ }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'In all', exact: true }).click();
  await expect(page.getByText('0 cells in all: no cell is in both B cell and T cell.')).toBeVisible();
  await page.getByRole('button', { name: 'Use the sets as groups' }).click();
  await expect(page.getByText('Groups Created')).toBeVisible();
  await panel(page, 'Figures by Group').click();
  await page.getByRole('button', { name: 'Split by: Not split' }).click();
  const made = page
    .getByRole('list', { name: 'Split by' })
    .getByRole('button', { name: /^B Cell \| T Cell/i });
  await expect(made).toContainText('2 categories');
  await expect(made).toBeEnabled();
});
