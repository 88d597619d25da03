import { type APIRequestContext, expect, type Locator, type Page, test as base } from '@playwright/test';
import { readFile } from 'node:fs/promises';

export interface DemoAccount {
  tier: string;
  email: string;
  password: string;
}

interface Fixtures {
  account: DemoAccount;
  /** Console errors to expect because a test makes requests fail; `null` for none. */
  expectedErrors: RegExp | null;
}

export async function demoAccount(request: APIRequestContext, plan: string): Promise<DemoAccount> {
  const { demoAccounts } = (await (await request.get('/config.json')).json()) as {
    demoAccounts: DemoAccount[];
  };
  const account = demoAccounts.find(({ tier }) => tier === plan);
  if (!account) throw new Error(`the server shows no ${plan} demo account`);
  return account;
}

/** A test whose page may log no console error and leave no promise rejection unhandled. */
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

export async function signIn(page: Page, account: DemoAccount): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).not.toHaveURL(/\/auth/);
  // The tour would begin by itself.
  await page.evaluate(() => {
    const { user } = JSON.parse(localStorage.getItem('cellfolio-auth') ?? '') as { user: { id: string } };
    localStorage.setItem(`cellfolio:tour:${user.id}`, 'seen');
  });
}

/** Skips the test on a condition, with a message that is hard to miss in the output. */
export function skipLoudly(condition: boolean, reason: string): void {
  if (condition) console.warn(`\nSKIPPED LOUDLY: ${test.info().title}: ${reason}.\n`);
  test.skip(condition, reason);
}

export async function downloaded(
  page: Page,
  act: () => Promise<void>,
): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

export function linesOf(table: Buffer): string[] {
  return table
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

export async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** Position of an element once it is at rest, for mouse actions that no locator can perform. */
export async function placeOf(
  element: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const handle = await element.elementHandle();
  await handle?.waitForElementState('stable');
  const box = await handle?.boundingBox();
  if (!box) throw new Error(`${String(element)} is not shown`);
  return box;
}

/** Polls until two consecutive reads are equal: screenshots of a page that is still being laid out change. */
export async function atRest<T>(read: () => Promise<T>): Promise<T> {
  let last = await read();
  await expect(async () => {
    const before = last;
    last = await read();
    expect(last === before, 'the same as before').toBe(true);
  }).toPass({ intervals: [250] });
  return last;
}
