import { expectAccessible } from './support/page-checks.ts';
import { addGenes, explore, explorerAddress, notice, openExplorer, viewer } from './support/explorer.ts';
import { newAccount } from './support/accounts.ts';
import { expect, signIn, skipLoudly, test } from './support/test.ts';

test.describe('a server that refuses or cannot be reached', () => {
  // The browser writes a line for each answer of 400 or 403, and for each request that came nowhere.
  test.use({ expectedErrors: /Failed to load resource/ });

  test('whoever is past the free trial is led from the explorer to the plans, with a notice', async ({
    page,
  }) => {
    const ended = process.env['CELLFOLIO_E2E_ENDED_TRIAL'];
    skipLoudly(!ended, 'the server was not started by the tests, so no trial of it has ended');
    await signIn(page, JSON.parse(ended ?? '') as { tier: string; email: string; password: string });
    await page.goto(explorerAddress);
    await expect(page).toHaveURL(/\/pricing\?trial_expired=true$/);
    await expect(notice(page, 'Free Trial Expired')).toBeVisible();
    await expect(
      page.getByRole('alert').filter({
        hasText: 'Your 7-day free trial has expired. Please upgrade to continue using the platform.',
      }),
    ).toBeVisible();
  });
  test('a dataset that the server has lost is opened again by one click, and a lost connection costs nothing', async ({
    page,
  }) => {
    await explore(page);
    await addGenes(page, 'Search genes', 'CD3D');
    const visualize = page.getByRole('button', { name: 'Visualize Selected Genes (1)' });
    // From here on the server sees a tab that never opened a dataset, as after its rows were lost.
    const tab = crypto.randomUUID();
    await page.route('**/api/**', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-session-id': tab } }),
    );
    await visualize.click();
    const words =
      'No dataset loaded on the server. Please refresh the page to reload your selected dataset and try again.';
    await expect(notice(page, words)).toBeVisible();
    const lost = page.getByRole('alert').filter({ hasText: words });
    await expect(lost).toBeVisible();
    await expectAccessible(page, lost);
    await page.getByRole('button', { name: 'Reload dataset and try again' }).click();
    await expect(page.getByText('Found: CD3D')).toBeVisible();
    await expect(viewer(page).getByRole('img', { name: 'CD3D, Expression UMAP' })).toBeVisible();
    await expect(lost).toHaveCount(0);

    await addGenes(page, 'Search genes', 'EPCAM');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Visualize Selected Genes (2)' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Your genes and images are kept.' });
    await expect(alert).toContainText('The server did not answer. Check the connection and try again.');
    await expect(notice(page, 'Failed to generate gene UMAP plots. Please try again.')).toBeVisible();
    await page.context().setOffline(false);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Found: CD3D, EPCAM')).toBeVisible();
    await expect(viewer(page).getByRole('img', { name: 'EPCAM, Expression UMAP' })).toBeVisible();
  });

  test('a session that was ended elsewhere leads to sign-in, and what was typed is there afterwards', async ({
    page,
    request,
  }) => {
    const account = await newAccount();
    await signIn(page, account);
    await openExplorer(page);
    await addGenes(page, 'Search genes', 'CD3D');
    const { apiKey, publishableKey } = (await (await request.get('/config.json')).json()) as Record<
      'apiKey' | 'publishableKey',
      string
    >;
    const token = await page.evaluate(() => {
      const stored = JSON.parse(localStorage.getItem('cellfolio-auth') ?? '') as { access_token: string };
      return stored.access_token;
    });
    const authorization = `Bearer ${token}`;
    await request.post('/auth/v1/logout?scope=global', {
      headers: { apikey: publishableKey, authorization },
    });
    // The server knows a token for a few seconds more.
    const known = () =>
      request.get('/api/gene-set-libraries', { headers: { 'x-api-key': apiKey, authorization } });
    await expect.poll(async () => (await known()).status()).toBe(401);
    await page.getByRole('button', { name: 'Visualize Selected Genes (1)' }).click();
    await expect(page).toHaveURL(/\/auth$/);
    const words = 'Your session has ended. Please sign in again: what you typed is kept.';
    await expect(notice(page, words)).toBeVisible();
    await signIn(page, account);
    await openExplorer(page);
    await expect(page.getByRole('button', { name: 'Remove CD3D' })).toBeVisible();
  });
});
