import { expect, test } from '@playwright/test';
import { type MailingServer, startMailingServer } from './support/mailing-server.ts';

let server: MailingServer;
test.beforeAll(async () => {
  server = await startMailingServer();
});
test.afterAll(() => server?.close());

test('the link of a mail confirms a new account and signs in, and that of another leads to a new password, each once', async ({
  page,
}) => {
  const email = 'ada@cellfolio.test';
  await page.goto(`${server.url}/auth`);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('first secret');
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(page.getByText('Please check your email for a confirmation link.')).toBeVisible();
  const confirmation = await server.mailedLink(email);
  await page.goto(confirmation);
  // Without the session that the link put behind it.
  await expect(page).toHaveURL(/\/dataset-selector#?$/);
  await expect(page.getByRole('link', { name: 'Account' })).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto(confirmation);
  await expect(page.getByText('Email link is invalid or has expired').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();

  await page.goto(`${server.url}/auth/forgot-password`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText(/a link is on its way/)).toBeVisible();
  const recovery = await server.mailedLink(email, 2);
  await page.goto(recovery);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth\/reset-password/);
  const keep = page.getByRole('link', { name: 'Keep the current password' });
  await expect(keep).toBeVisible();
  await page.getByLabel('New Password', { exact: true }).fill('second secret');
  await page.getByLabel('Confirm New Password').fill('second secret');
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByText('Password updated successfully!')).toBeVisible();
  await expect(keep).toBeHidden();
  await page.evaluate(() => localStorage.clear());
  await page.goto(recovery);
  await expect(page.getByText('Email link is invalid or has expired').first()).toBeVisible();
  await page.goto(`${server.url}/auth`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('second secret');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dataset-selector$/);
});
