import { expectAccessible } from './support/page-checks.ts';
import {
  addGenes,
  clickAndNotice,
  explorerAddress,
  notice,
  openExplorer,
  viewer,
} from './support/explorer.ts';
import { becomeNewUser, sessionOf, signInAs } from './support/accounts.ts';
import { type DemoAccount, expect, skipLoudly, test } from './support/test.ts';

test.describe('a server that refuses or cannot be reached', () => {
  // The browser writes a line for each answer of 400 or 403, and for each request that came nowhere.
  test.use({ expectedErrors: /Failed to load resource/ });

  test('a user past the free trial is led from the explorer to the plans, with a notice', async ({
    page,
  }) => {
    const ended = process.env['CELLFOLIO_E2E_ENDED_TRIAL'];
    skipLoudly(!ended, 'the server was not started by the tests, so no trial of it has ended');
    await signInAs(page, { session: await sessionOf(JSON.parse(ended ?? '') as DemoAccount) });
    await page.goto(explorerAddress);
    await expect(page).toHaveURL(/\/pricing\?trial_expired=true$/);
    await expect(notice(page, 'Free Trial Expired')).toBeVisible();
    await expect(
      page.getByRole('alert').filter({
        hasText: 'Your 7-day free trial has expired. Please upgrade to continue using the platform.',
      }),
    ).toBeVisible();
  });

  test('a dataset that the server has lost is opened again by one click, a lost connection costs nothing, and a session that was ended elsewhere leads to sign-in and back, with what was typed', async ({
    page,
    request,
  }) => {
    const user = await becomeNewUser(page);
    await openExplorer(page);
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
    const two = page.getByRole('button', { name: 'Visualize Selected Genes (2)' });
    await clickAndNotice(page, two, 'Failed to generate gene UMAP plots. Please try again.');
    const alert = page.getByRole('alert').filter({ hasText: 'Your genes and images are kept.' });
    await expect(alert).toContainText('The server did not answer. Check the connection and try again.');
    await page.context().setOffline(false);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Found: CD3D, EPCAM')).toBeVisible();
    await expect(viewer(page).getByRole('img', { name: 'EPCAM, Expression UMAP' })).toBeVisible();

    const { apiKey, publishableKey } = (await (await request.get('/config.json')).json()) as Record<
      'apiKey' | 'publishableKey',
      string
    >;
    const { access_token } = JSON.parse(user.session) as { access_token: string };
    const authorization = `Bearer ${access_token}`;
    await request.post('/auth/v1/logout?scope=global', {
      headers: { apikey: publishableKey, authorization },
    });
    // The server knows a token for a few seconds more.
    const fetchLibraries = () =>
      request.get('/api/gene-set-libraries', { headers: { 'x-api-key': apiKey, authorization } });
    await expect.poll(async () => (await fetchLibraries()).status()).toBe(401);
    await page.unroute('**/api/**');
    await addGenes(page, 'Search genes', 'NKG7');
    await page.getByRole('button', { name: 'Visualize Selected Genes (3)' }).click();
    await expect(page).toHaveURL(/\/auth$/);
    const ended = 'Your session has ended. Please sign in again: your entries are kept.';
    await expect(notice(page, ended)).toBeVisible();
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    // The address that was asked for, not the selector.
    await expect(page).toHaveURL(/\/explorer\?.*dataset=/);
    await expect(page.getByRole('button', { name: 'Remove NKG7' })).toBeVisible();
  });
});
