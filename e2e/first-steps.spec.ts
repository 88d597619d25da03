import { newAccount, signInAs } from './support/accounts.ts';
import { expect, test } from './support/test.ts';

const dataset = '/explorer?disease=Breast+Cancer&dataset=demo-breast-triple-negative.h5ad';

test('a new user is shown around once, by keyboard, and one click answers a question about the dataset', async ({
  page,
}) => {
  const user = await newAccount();
  await signInAs(page, user, { takesTour: true });
  await page.goto(dataset);
  const tour = page.getByRole('dialog', { name: /^Tour: / });
  await expect(tour).toBeVisible();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: /^Command/ });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  for (const title of ['Draw a gene', 'Select cells', 'Run an analysis', 'Keep and download']) {
    await expect(tour).toHaveAccessibleName(`Tour: ${title}`);
    await expect(tour.getByRole('button', { name: /^(Next|Done)$/ })).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await expect(tour).toHaveCount(0);
  await page.reload();

  await page.getByRole('button', { name: 'Run Analysis', exact: true }).click();
  const questions = page.getByRole('region', { name: 'Start with a question' });
  await questions.getByRole('button', { name: 'What marks each cell type?' }).click();
  await expect(page.getByText('Marker Analysis Complete', { exact: false }).first()).toBeVisible();
  await expect(tour).toHaveCount(0);
});
