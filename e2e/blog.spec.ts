import { expectAccessible, expectAlive } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';

const listed = [
  'gene-signatures-context-specificity-challenges',
  'detect-rare-cell-populations-without-overfitting',
  'batch-correction-scrna-seq-methods-comparison',
  'single-cell-differential-expression-statistical-assumptions',
  'umap-visualization-cell-state-manifold-geometry',
];
const unlisted = 'top-5-single-cell-and-spatial-platform-alternatives';
const widths = [1440, 390];

test('every article shows its text, all its pictures and its references; of an unknown one the page says so', async ({
  page,
}) => {
  for (const [place, slug] of [...listed, unlisted].entries()) {
    // Half of them on a wide screen and half on a phone, in one theme and the other.
    await page.setViewportSize({ width: widths[place % 2]!, height: 900 });
    await page.emulateMedia({ colorScheme: place % 4 < 2 ? 'light' : 'dark' });
    await page.goto(`/blog/${slug}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('By The Cellfolio team')).toBeVisible();
    const pictures = page.getByRole('article').locator('figure img');
    expect(await pictures.count(), slug).toBeGreaterThanOrEqual(2);
    // Images below the fold are lazy; each must load and decode.
    const widthsLoaded = await pictures.evaluateAll((images: HTMLImageElement[]) =>
      Promise.all(
        images.map(async (image) => {
          image.loading = 'eager';
          await image.decode();
          return image.naturalWidth;
        }),
      ),
    );
    expect(Math.min(...widthsLoaded), slug).toBeGreaterThanOrEqual(1200);
    const references = page.getByRole('region', { name: 'References' }).getByRole('link');
    expect(await references.count(), slug).toBeGreaterThanOrEqual(6);
    await expectAccessible(page);
  }
  await page.goto('/blog/no-such-article');
  await expect(page.getByRole('heading', { name: 'Blog post not found' })).toBeVisible();
  await expectAccessible(page);
});

test('a section has its address, a picture opens large and closes, a citation leads to its reference, related reading to the comparison of tools, and Back to Blog to the list of five, which opens one', async ({
  page,
}) => {
  await page.goto('/blog/umap-visualization-cell-state-manifold-geometry#sizes-mostly-cell-counts');
  await expect(page.getByRole('heading', { name: /^Sizes: mostly cell counts/ })).toBeInViewport();
  await expectAlive(page);
  const picture = page.getByRole('button', { name: /UMAP with min_dist 0.05/ });
  await picture.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('img')).toBeVisible();
  await expectAccessible(page, dialog);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(picture).toBeFocused();
  await page.getByRole('link', { name: /^Reference 8: Narayan/ }).click();
  await expect(page.getByText('density-preserving data visualization')).toBeInViewport();
  expect(page.url()).toContain('#reference-narayan2021');

  const related = page.getByRole('complementary', { name: 'Related reading' });
  // By key: what a jump to the end of a long text passes is laid out meanwhile, and moves what the pointer would press.
  await related.getByRole('link', { name: /^Top 5/ }).press('Enter');
  await expect(page).toHaveURL(`/blog/${unlisted}`);
  await page.getByRole('link', { name: 'Back to Blog' }).first().click();
  await expect(page).toHaveURL('/blog');
  await expect(page.getByRole('heading', { level: 1, name: 'Blog' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Top 5/ })).toHaveCount(0);
  const articles = page.getByRole('article');
  await expect(articles).toHaveCount(5);
  await articles
    .first()
    .getByRole('link', { name: /^Read More/ })
    .click();
  await expect(page).toHaveURL(`/blog/${listed[0]}`);
});
