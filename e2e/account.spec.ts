import { TOTP } from 'otpauth';
import { expectAccessible, expectNoWiderThanScreen } from './support/page-checks.ts';
import { becomeNewUser, newAccount, sessionOf, signInAs } from './support/accounts.ts';
import { expect, test } from './support/test.ts';

test("the sign-in page has a way past its head, fits every screen, shows the service's message and redirects signed-in users", async ({
  context,
}) => {
  const account = await newAccount();
  // A refusal is an error in the browser's console too, so not the page that allows none.
  const page = await context.newPage();
  await page.goto('/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoWiderThanScreen(page);
  }
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Invalid login credentials');
  await expectAccessible(page, page.locator('form'));
  await page.getByLabel('Password').fill(account.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dataset-selector$/);
  await page.goto('/auth');
  await expect(page).toHaveURL(/\/dataset-selector$/);
});

test('data are taken along as a file; a deletion ends signed out on a page that says so', async ({
  context,
}) => {
  // Ending the session of an account that is gone is refused, which is an error in the browser's console.
  const page = await context.newPage();
  const { email, password } = await becomeNewUser(page);
  await page.goto('/account');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  expect((await download).suggestedFilename()).toMatch(/^cellfolio-.*\.zip$/);
  await page.getByRole('button', { name: 'Delete account...' }).click();
  await page.getByLabel('Type your email address').fill(email);
  await expectAccessible(page, page.getByRole('dialog'));
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
  await expect(page).toHaveURL(/\/account-deleted$/);
  await expect(sessionOf({ email, password, tier: 'trial' })).rejects.toThrow('answered 400');
});

test('the badge names the plan; the portal opens in a new tab', async ({ page, context, account }) => {
  await signInAs(page, { session: await sessionOf(account) });
  await page.goto('/account');
  const card = page.getByRole('region', { name: 'Subscription Management' });
  await expect(card.getByText('Standard', { exact: true })).toBeVisible();
  await expect(card.getByText('Next Billing')).toBeVisible();
  const tab = context.waitForEvent('page');
  await card.getByRole('button', { name: 'Manage Subscription' }).click();
  await expect.poll(async () => new URL((await tab).url()).protocol).toMatch(/^https?:$/);
  await (await tab).close();
});

test('an API key is shown once and calls the analyses until it is revoked; a new password and a second step sign in after all sessions were ended', async ({
  page,
  request,
}) => {
  const account = await becomeNewUser(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/account');
  await page.getByLabel('Name of the new key').fill('Notebook <1>');
  await page.getByRole('button', { name: 'Create key' }).click();
  const created = page.getByRole('dialog', { name: 'Your new key: Notebook <1>' });
  const key = await created.getByLabel('API key', { exact: true }).innerText();
  await expectAccessible(page, created);
  await created.getByRole('button', { name: 'Done' }).click();
  const call = async () => {
    const answer = await request.get('/api/dataset_analysis/demo-breast-triple-negative.h5ad', {
      headers: { 'X-API-Key': key },
    });
    return answer.status();
  };
  expect(await call()).toBe(200);
  await page.reload();
  const keys = page.getByRole('list', { name: 'API keys' });
  await expect(keys.getByText('Last used just now')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Revoke Notebook <1>' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(keys).toHaveCount(0);
  // A key that was just used is remembered for a few seconds.
  await expect.poll(call).toBe(401);

  await page.setViewportSize({ width: 1440, height: 900 });
  const update = page.getByRole('button', { name: 'Update Password' });
  await update.click();
  await expect(page.getByText('Current password is required')).toBeVisible();
  await expectAccessible(page, page.locator('form').filter({ has: update }));
  await page.getByLabel('Current Password').fill(account.password);
  await page.getByLabel('New Password', { exact: true }).fill('another secret');
  await page.getByLabel('Confirm New Password').fill('another secret');
  // Whatever lies beneath a notice takes the click. Looked for in the page, as notices go by themselves.
  const through = page.waitForFunction(() => {
    const notices = [...document.querySelectorAll('[data-sonner-toast]')];
    const notice = notices.find((one) => one.textContent?.includes('Password updated successfully!'));
    if (notice === undefined) return false;
    const { left, right, top, bottom } = notice.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== null && hit.closest('[data-sonner-toaster]') === null;
  });
  await update.click();
  await through;
  await expect(page.getByLabel('Current Password')).toHaveValue('');

  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  const setup = page.getByRole('dialog', { name: 'Set up two-step sign-in' });
  await setup.getByRole('button', { name: 'Continue' }).click();
  await expect(setup.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectAccessible(page, setup);
  const totp = new TOTP({ secret: await setup.getByLabel('Secret', { exact: true }).innerText() });
  // No code is taken twice: this one now, at sign-in the next, which passes half a minute early.
  await setup.getByLabel('Code from the app').fill(totp.generate());
  await setup.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('list', { name: 'Authenticator apps' })).toBeVisible();

  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill('another secret');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Two-step sign-in' })).toBeVisible();
  await expectAccessible(page);
  // Loading the page again is no way around it.
  await page.goto('/account');
  await expect(page).toHaveURL(/\/auth$/);
  await page
    .getByLabel('Code from your authenticator app')
    .fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL(/\/account$/);
  await page.getByRole('button', { name: 'Remove Authenticator app' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Set up two-step sign-in' })).toBeVisible();
});
