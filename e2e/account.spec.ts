import { TOTP } from 'otpauth';
import { expectAccessible, expectNoWiderThanScreen } from './support/page-checks.ts';
import { newAccount } from './support/accounts.ts';
import { type DemoAccount, expect, signIn, test } from './support/test.ts';

test('the sign-in page checks its fields, and fits every screen', async ({ page }) => {
  await page.goto('/auth');
  await expect(page.getByText('Sign in to access gene expression analysis tools')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expectNoWiderThanScreen(page);
  }
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Email').fill('ada@cellfolio.test');
  await page.getByLabel('Password').fill('12345');
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await page.getByRole('link', { name: 'Return to homepage' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("a wrong password shows the service's message; a user who is signed in is led on", async ({
  context,
}) => {
  // Signing out ends all sessions of an account, so not one that other tests are signed in with.
  const account = await newAccount();
  // A refusal is an error in the browser's console too, so not the page that allows none.
  const page = await context.newPage();
  await page.goto('/auth');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Invalid login credentials');
  await page.getByLabel('Password').fill(account.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dataset-selector$/);
  await page.goto('/auth');
  await expect(page).toHaveURL(/\/dataset-selector$/);
  await page.goto('/account');
  await page.getByRole('button', { name: /^Signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/auth$/);
});

test('the badge names the plan; the portal opens in a new tab', async ({ page, context, request }) => {
  const { demoAccounts } = (await (await request.get('/config.json')).json()) as {
    demoAccounts: DemoAccount[];
  };
  const badges = { trial: 'Free Trial', standard: 'Standard', professional: 'Professional' };
  for (const account of demoAccounts) {
    await signIn(page, account);
    await page.getByRole('link', { name: 'Account' }).click();
    const card = page.getByRole('region', { name: 'Subscription Management' });
    await expect(card.getByText(badges[account.tier as keyof typeof badges], { exact: true })).toBeVisible();
    if (account.tier === 'trial') {
      await expect(card.getByRole('link', { name: 'Upgrade Plan' })).toHaveAttribute('href', '/pricing');
    } else {
      await expect(card.getByText('Next Billing')).toBeVisible();
      const tab = context.waitForEvent('page');
      await card.getByRole('button', { name: 'Manage Subscription' }).click();
      await expect.poll(async () => new URL((await tab).url()).protocol).toMatch(/^https?:$/);
      await (await tab).close();
      await expect(card.getByRole('button', { name: 'Manage Subscription' })).toBeVisible();
    }
    await page.evaluate(() => localStorage.clear());
  }
});

test('the password is changed by the form, and the new one signs in', async ({ page }) => {
  const account = await newAccount();
  await signIn(page, account);
  await page.goto('/account');
  const update = page.getByRole('button', { name: 'Update Password' });
  await update.click();
  for (const text of [
    'Current password is required',
    'Password must be at least 6 characters',
    'Please confirm your password',
  ])
    await expect(page.getByText(text)).toBeVisible();
  await page.getByLabel('Current Password').fill(account.password);
  await page.getByLabel('New Password', { exact: true }).fill('another secret');
  await page.getByLabel('Confirm New Password').fill('another');
  await update.click();
  await expect(page.getByText("Passwords don't match")).toBeVisible();
  await expectAccessible(page, page.locator('form').filter({ has: update }));
  await page.getByLabel('Confirm New Password').fill('another secret');
  // Whatever lies beneath a notice takes the click. Looked for in the page, as notices go by themselves.
  const through = page.waitForFunction(() => {
    const notice = document.querySelector('[data-sonner-toast]');
    if (notice?.textContent?.includes('Password updated successfully!') !== true) return false;
    const { left, right, top, bottom } = notice.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit !== null && hit.closest('[data-sonner-toaster]') === null;
  });
  await update.click();
  await through;
  await expect(page.getByLabel('Current Password')).toHaveValue('');
  await page.evaluate(() => localStorage.clear());
  await signIn(page, { ...account, password: 'another secret' });
});

test('two-step sign-in is set up, asked for and removed', async ({ page }) => {
  const account = await newAccount();
  await signIn(page, account);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up two-step sign-in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up two-step sign-in' });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectAccessible(page, dialog);
  const totp = new TOTP({ secret: await dialog.getByLabel('Secret', { exact: true }).innerText() });
  // No code is taken twice: this one now, at sign-in the next, which passes half a minute early.
  await dialog.getByLabel('Code from the app').fill(totp.generate());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('list', { name: 'Authenticator apps' })).toBeVisible();

  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
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
  await page.reload();
  await expect(page.getByRole('button', { name: 'Set up two-step sign-in' })).toBeVisible();
});

test('an API key is shown once, calls the analyses, and no longer when it is revoked', async ({
  page,
  request,
}) => {
  await signIn(page, await newAccount());
  await page.goto('/account');
  await page.getByLabel('Name of the new key').fill('Notebook <1>');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your new key: Notebook <1>' });
  const key = await dialog.getByLabel('API key', { exact: true }).innerText();
  await expect(dialog.getByLabel('Example')).toContainText(`X-API-Key: ${key}`);
  await expectAccessible(page, dialog);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const call = async () => {
    const answer = await request.get('/api/dataset_analysis/demo-breast-triple-negative.h5ad', {
      headers: { 'X-API-Key': key },
    });
    return answer.status();
  };
  expect(await call()).toBe(200);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(page.getByRole('list', { name: 'API keys' }).getByText('Last used just now')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Revoke Notebook <1>' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText(/No API keys yet/)).toBeVisible();
  // A key that was just used is remembered for a few seconds.
  await expect.poll(call).toBe(401);
});
