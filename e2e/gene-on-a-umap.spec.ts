import { newAccount } from './support/accounts.ts';
import { expect, signIn, test } from './support/test.ts';

function isNoticeAside(): boolean {
  const [notice] = document.querySelectorAll('[data-sonner-toast]');
  if (notice?.textContent?.includes('Gene UMAP Generated') !== true) return false;
  const { left, right, top, bottom } = notice.getBoundingClientRect();
  const isUnder = (control: Element) => {
    const own = control.getBoundingClientRect();
    return own.left < right && own.right > left && own.top < bottom && own.bottom > top;
  };
  const controls = [...document.querySelectorAll('a, button, input, [role="application"]')];
  return !controls.some((one) => !notice.contains(one) && isUnder(one));
}

test('a user signs in, picks a demo dataset, searches a gene and sees it on a UMAP', async ({ page }) => {
  await signIn(page, await newAccount());
  await page.getByRole('button', { name: 'Breast Cancer' }).click();
  await page.getByRole('button', { name: 'Triple-negative (1 dataset)' }).click();
  await page.getByRole('button', { name: /demo-breast/ }).click();
  await expect(page.getByRole('region', { name: 'Dataset Preview' })).toContainText('GSE Accession Number');
  await page.getByRole('link', { name: 'Explore Dataset' }).click();
  await expect(page.getByText('Simulated').first()).toBeVisible();

  // The first letters of a gene, and the suggestion.
  await page.getByRole('combobox', { name: /gene/i }).fill('cd79');
  await page.getByRole('option', { name: 'CD79A', exact: true }).click();
  // A notice goes by itself, so it is looked for in the page, from before it comes until it has come to rest.
  const aside = page.waitForFunction(isNoticeAside);
  await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
  await aside;
  await expect(page.getByRole('img', { name: /CD79A/ }).first()).toBeVisible();
});
