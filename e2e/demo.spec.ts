import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';
import { beginWorkflow } from './support/workflow.ts';

/** Calls that the page of the demo may make; all others need an account. */
const service = /^\/(api|auth|rest|storage|functions)\//;
const open =
  /^\/api\/(dataset_metadata|render-figure|dataset_analysis\/[^/]+|datasets\/[^/]+\/(columns(\/(embedding|obs|gene|cell)\/[^/]+)?|gene-names|umap\.png))$/;

for (const { width, height, colorScheme } of [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const) {
  test(`View Demo opens a live map without an account, ${width} pixels wide, and a gene on it in four steps`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const called: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (['fetch', 'xhr'].includes(request.resourceType())) called.push(pathname);
    });
    await page.goto('/');
    const trying = await beginWorkflow(page, 'Try the demo');
    await page.getByRole('link', { name: 'View Demo' }).click();
    await expect(page.getByRole('group', { name: 'Map of Cell types' })).toBeVisible();
    const about = page.getByRole('complementary', { name: 'About this demo' });
    await expect(about).toContainText('Simulated');
    await expect(about).toContainText('Nothing you do here is stored.');
    await expectAccessible(page);

    // A name that the dataset does not use: its symbol is suggested.
    await page.getByRole('combobox', { name: 'Search genes' }).click();
    await page.keyboard.type('CD20');
    await page.getByRole('option', { name: 'MS4A1' }).click();
    await page.getByRole('checkbox', { name: 'Generate Expression by Cell Type Violin Plot' }).click();
    const violins = page.waitForRequest(
      (request) => request.url().endsWith('/render-figure') && request.postData()!.includes('gene-violin'),
    );
    await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
    expect((await violins).postDataJSON()).toMatchObject({ view: { theme: colorScheme } });
    await expect(page.getByRole('group', { name: 'Map of MS4A1' })).toBeInViewport();
    const toSignIn = page.getByRole('link', { name: 'Sign in to run analyses' });
    await trying.end({
      answer: page.getByRole('img', { name: /^MS4A1 by cell type\./ }),
      next: [page.getByRole('combobox', { name: 'Search genes' }), toSignIn],
    });
    // A narrow map has its colours below it, a wide one beside it.
    const cells = await page.getByRole('application', { name: /MS4A1/ }).boundingBox();
    const colours = await page.getByRole('complementary', { name: 'Colors of MS4A1' }).boundingBox();
    expect(cells!.width).toBeGreaterThan(300);
    expect(colours!.y >= cells!.y + cells!.height - 1).toBe(width < 400);
    await page.getByRole('button', { name: /^B cell/ }).click();
    await expect(page.getByRole('button', { name: /^B cell/ })).toHaveAttribute('aria-pressed', 'true');
    await expectAccessible(page);
    expect(called.filter((path) => service.test(path) && !open.test(path))).toEqual([]);

    await toSignIn.click();
    await expect(page).toHaveURL(/\/auth$/);
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  });
}

test('the explorer itself still leads a visitor to signing in', async ({ page }) => {
  await page.goto('/explorer?disease=Breast+Cancer&dataset=demo-breast-triple-negative.h5ad');
  await expect(page).toHaveURL(/\/auth$/);
});
