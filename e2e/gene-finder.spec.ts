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
  await expect(page.getByRole('heading', { name: 'cd79a in All Datasets' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'B cell' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('rowheader').getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/explorer\?dataset=.*view=gene-umap%3ACD79A/);
  await expect(page.getByText(/CD79A/).first()).toBeVisible();
});
