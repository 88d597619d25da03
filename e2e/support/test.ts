import { expect, type Page, test as base } from '@playwright/test';

export interface DemoAccount {
  readonly tier: string;
  readonly email: string;
  readonly password: string;
}

interface Fixtures {
  /** One of the demo's accounts, as its sign-in page shows them. */
  readonly account: DemoAccount;
}

/** A test whose page may write no error to the console and reject no promise unhandled. */
export const test = base.extend<Fixtures>({
  account: async ({ request }, use) => {
    const { demoAccounts } = (await (await request.get('/config.json')).json()) as {
      demoAccounts: DemoAccount[];
    };
    const account = demoAccounts.find(({ tier }) => tier === 'standard');
    if (!account) throw new Error('the server shows no standard demo account');
    await use(account);
  },
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    await use(page);
    expect(errors, 'errors in the browser console').toEqual([]);
  },
});

export { expect };

export async function signIn(page: Page, account: DemoAccount): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/dataset-selector$/);
}
