import { expectAccessible } from './support/page-checks.ts';
import { expect, signIn, test } from './support/test.ts';

test('a gene is found in all datasets from the header, and opens where it was chosen', async ({
  page,
  account,
}) => {
  await signIn(page, account);
  const box = page.getByRole('banner').getByRole('textbox', { name: 'Find a gene in all datasets' });
  await box.fill('cd79a');
  await box.press('Enter');
  await expect(page.getByRole('heading', { name: 'CD79A in All Datasets' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'B cell' })).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('menuitem', { name: /^SVG/ }).click();
  expect((await download).suggestedFilename()).toBe('cd79a_by_dataset.svg');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('rowheader').getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/explorer\?dataset=.*view=gene-umap%3ACD79A/);
  // What the page opens by itself takes the focus from a box that is open.
  await expect(page.getByRole('img', { name: 'CD79A, Expression UMAP' })).toBeVisible();

  // The explorer keeps its page, in a narrow window too.
  await page.setViewportSize({ width: 1024, height: 768 });
  const explorer = page.url();
  await page.getByRole('banner').getByRole('button', { name: 'Find a gene in all datasets' }).click();
  await page.getByRole('textbox', { name: 'Find a gene in all datasets, in a new tab' }).fill('CD97A');
  const opened = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const tab = await opened;
  await tab.getByRole('link', { name: /^CD79A/ }).click();
  await expect(tab.getByRole('columnheader', { name: 'B cell' })).toBeVisible();
  expect(page.url()).toBe(explorer);
});
