import { expect, test } from '@playwright/test';
import { type MailingServer, startMailingServer } from './support/mailing-server.ts';

// One server that sends mail, and one account that goes all the way: from sign-up to a new password.
test.describe.configure({ mode: 'serial' });

let server: MailingServer;
test.beforeAll(async () => {
  server = await startMailingServer();
});
test.afterAll(() => server?.close());

const byLink = { email: 'ada@cellfolio.test', password: 'first secret' };
const byCode = { email: 'grace@cellfolio.test', password: 'first secret' };

test('signing up asks to look for the mail; its link confirms and signs in, once', async ({ page }) => {
  await page.goto(`${server.url}/auth`);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(byLink.email);
  await page.getByLabel('Password').fill(byLink.password);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(page.getByText('Please check your email for a confirmation link.')).toBeVisible();

  // Not before the mail was answered.
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resend confirmation' })).toBeVisible();

  const { link } = await server.mail(byLink.email);
  await page.goto(link);
  // Without the session that the link put behind it.
  await expect(page).toHaveURL(/\/dataset-selector#?$/);
  await expect(page.getByRole('link', { name: 'Account' })).toBeVisible();
  await page.evaluate(() => localStorage.clear());

  await page.goto(link);
  await expect(page).toHaveURL(/\/dataset-selector/);
  await expect(page.getByText('Email link is invalid or has expired').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
  await page.getByRole('link', { name: 'Confirm your email address' }).click();
  await expect(page.getByLabel('Code from the mail')).toBeVisible();
});

test('the code of the mail confirms too', async ({ page }) => {
  await page.goto(`${server.url}/auth`);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill(byCode.email);
  await page.getByLabel('Password').fill(byCode.password);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await page.getByRole('link', { name: 'Enter the code instead' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(byCode.email);
  const { code } = await server.mail(byCode.email);
  const wrong = code === '000000' ? '000001' : '000000';
  await page.getByLabel('Code from the mail').fill(wrong);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Code from the mail').fill(code);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page).toHaveURL(/\/dataset-selector$/);
  await expect(page.getByRole('link', { name: 'Account' })).toBeVisible();
});

test('a forgotten password is replaced by the link of a mail, which works once', async ({ page }) => {
  await page.goto(`${server.url}/auth`);
  // Before that, links load the next page anew, and what was typed stays behind.
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeEnabled();
  await page.getByLabel('Email').fill(byLink.email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText(/a link is on its way/)).toBeVisible();
  const { link } = await server.mail(byLink.email, 2);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth\/reset-password/);
  const keep = page.getByRole('link', { name: 'Keep the password as it is' });
  await expect(keep).toBeVisible();
  await page.getByLabel('New Password', { exact: true }).fill('second secret');
  await page.getByLabel('Confirm New Password').fill('second secret');
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(page.getByText('Password updated successfully!')).toBeVisible();
  await expect(keep).toBeHidden();
  await page.evaluate(() => localStorage.clear());

  await page.goto(link);
  await expect(page.getByText('Email link is invalid or has expired').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Send a new link' })).toBeVisible();

  await page.goto(`${server.url}/auth`);
  await page.getByLabel('Email').fill(byLink.email);
  await page.getByLabel('Password').fill('second secret');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/dataset-selector$/);
});
