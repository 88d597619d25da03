import { declarations } from '@cellfolio/analyses';
import { chooseAnalysis, explore } from './support/explorer.ts';
import { expectAccessibleInBothThemes, expectNoWiderThanScreen } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';

test('the docs are opened from the app, searched for an analysis and read', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Docs' }).click();
  await expect(page).toHaveURL(/\/docs\/$/);
  await expect(page.getByRole('heading', { name: 'Cellfolio documentation' })).toBeVisible();
  await page.getByRole('button', { name: /Search/ }).click();
  await page.getByRole('searchbox').fill('gradient');
  await page
    .getByRole('option', { name: /Gradient Analysis/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/docs\/analyses\/gradient/);
  await expect(page.getByRole('heading', { level: 1, name: /Gradient Analysis/ })).toBeVisible();
  await expect(page.getByRole('cell', { name: /^Degrees of Freedom/ })).toBeVisible();
  await page.getByRole('link', { name: 'Open Cellfolio' }).first().click();
  await expect(page).toHaveURL(/:\d+\/$/);
});

test('the form of an analysis leads to its page, and the menu of the account to all', async ({ page }) => {
  await explore(page);
  const { card } = await chooseAnalysis(page, 'Gradient Analysis');
  const [docs] = await Promise.all([
    page.context().waitForEvent('page'),
    card.getByRole('link', { name: 'Learn more about Gradient Analysis' }).click(),
  ]);
  await expect(docs.getByRole('heading', { level: 1, name: /Gradient Analysis/ })).toBeVisible();
  await docs.close();
  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Docs' })).toHaveAttribute('href', '/docs/');
});

test('every analysis has a page in the docs, and an unknown page says so', async ({ request }) => {
  for (const { id, title } of declarations) {
    const answer = await request.get(`/docs/analyses/${id}`, { headers: { accept: 'text/html' } });
    expect(answer.status(), id).toBe(200);
    expect(await answer.text()).toContain(title);
  }
  const unknown = await request.get('/docs/analyses/none', { headers: { accept: 'text/html' } });
  expect(unknown.status()).toBe(404);
});

test('pages of the docs are accessible in both themes, and fit a phone', async ({ page }) => {
  test.slow();
  for (const path of ['', 'start', 'analyses/gradient', 'reference/links', 'workflows', 'decisions/']) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`/docs/${path}`, { waitUntil: 'networkidle' });
    await expectAccessibleInBothThemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoWiderThanScreen(page);
  }
});

test('the docs have the theme that was chosen in the app before their first paint', async ({ page }) => {
  await page.goto('/docs/');
  await page.evaluate(() => localStorage.setItem('cellfolio:theme', 'dark'));
  await page.goto('/docs/start', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveClass(/\bdark\b/);
  await page.waitForLoadState('networkidle');
  await page.getByRole('switch').first().click();
  await expect(page.locator('html')).not.toHaveClass(/\bdark\b/);
  expect(await page.evaluate(() => localStorage.getItem('cellfolio:theme'))).not.toBe('dark');
});
