import { type APIRequestContext, expect, type Page, test as base } from '@playwright/test';
import { readFile } from 'node:fs/promises';

export interface DemoAccount {
  readonly tier: string;
  readonly email: string;
  readonly password: string;
}

interface Fixtures {
  /** One of the demo's accounts, as its sign-in page shows them. */
  readonly account: DemoAccount;
  /** Errors that the browser writes to the console because a test makes requests fail; `null` for none. */
  readonly expectedErrors: RegExp | null;
}

/** The demo's account of a plan, as its sign-in page shows it. */
export async function demoAccount(request: APIRequestContext, plan: string): Promise<DemoAccount> {
  const { demoAccounts } = (await (await request.get('/config.json')).json()) as {
    demoAccounts: DemoAccount[];
  };
  const account = demoAccounts.find(({ tier }) => tier === plan);
  if (!account) throw new Error(`the server shows no ${plan} demo account`);
  return account;
}

/** A test whose page may write no error to the console and reject no promise unhandled. */
export const test = base.extend<Fixtures>({
  account: async ({ request }, use) => {
    await use(await demoAccount(request, 'standard'));
  },
  expectedErrors: [null, { option: true }],
  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'error' || expectedErrors?.test(message.text())) return;
      // The text of a failed request does not say of which.
      errors.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => errors.push(String(error)));
    await use(page);
    // What a reused window would keep for the next test.
    await page.context().clearPermissions();
    expect(errors, 'errors in the browser console').toEqual([]);
  },
});

export { expect };

/** Ends at the dataset selector, or on the page that asked to sign in. */
export async function signIn(page: Page, account: DemoAccount): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).not.toHaveURL(/\/auth/);
}

/** Skips the test on this condition, which nobody who reads the output can miss. */
export function skipLoudly(condition: boolean, reason: string): void {
  if (condition) console.warn(`\nSKIPPED LOUDLY: ${test.info().title}: ${reason}.\n`);
  test.skip(condition, reason);
}

/** The file that the browser saves when this is done, and the name it is saved under. */
export async function downloaded(
  page: Page,
  act: () => Promise<void>,
): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** The lines of a table in CSV without its notes: the heading, then the rows. */
export function linesOf(table: Buffer): string[] {
  return table
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}
