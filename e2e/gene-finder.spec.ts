import { becomeNewUser } from './support/accounts.ts';
import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';
import { beginWorkflow } from './support/workflow.ts';

test('a gene is found in all datasets from the header, and opens where it was chosen', async ({ page }) => {
  await becomeNewUser(page);
  await page.goto('/dataset-selector');
  const box = page.getByRole('banner').getByRole('textbox', { name: 'Gene in all datasets' });
  await expect(box).toBeEnabled();
  const finding = await beginWorkflow(page, 'Find a gene in all datasets');
  await box.click();
  await page.keyboard.type('cd79a');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'CD79A in All Datasets' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'B cell' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1024, height: 768 });

  await page.getByRole('rowheader').getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/explorer\?dataset=.*view=gene-umap%3ACD79A/);
  // What the page opens by itself takes the focus from a box that is open.
  await finding.end({
    answer: page.getByRole('img', { name: 'CD79A, Expression UMAP' }),
    next: [page.getByRole('button', { name: /^Download CD79A/ })],
  });

  // The explorer keeps its page, in a narrow window too.
  const explorer = page.url();
  await page.getByRole('banner').getByRole('button', { name: 'Gene in all datasets' }).click();
  await page.getByRole('textbox', { name: 'Gene in all datasets, in a new tab' }).fill('CD79A');
  const opened = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const tab = await opened;
  await expect(tab.getByRole('columnheader', { name: 'B cell' })).toBeVisible();
  expect(page.url()).toBe(explorer);
});
