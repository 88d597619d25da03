import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { DemoAccount } from './test.ts';
import type { Page } from '@playwright/test';

/** An account in its free trial. Returns the session as the authentication service answered it. */
export async function signUp(email: string, password: string): Promise<string> {
  const site = process.env['CELLFOLIO_E2E_URL'] ?? '';
  const { publishableKey } = (await (await fetch(`${site}/config.json`)).json()) as {
    publishableKey: string;
  };
  const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const call = request(
      `${site}/auth/v1/signup`,
      {
        method: 'POST',
        headers: { apikey: publishableKey, 'content-type': 'application/json' },
        ...(process.platform === 'linux' && { localAddress: ownAddress() }),
      },
      (answer) => void text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject),
    );
    call.on('error', reject);
    call.end(JSON.stringify({ email, password }));
  });
  if (status !== 200) throw new Error(`signing up answered ${status}: ${body}`);
  return body;
}

/** Of this machine alone, and hardly another test's: from one address thirty may sign up in five minutes. */
function ownAddress(): string {
  const part = () => 1 + Math.floor(Math.random() * 254);
  return `127.${part()}.${part()}.${part()}`;
}

/** An account in its free trial that is the test's alone, with its password: for tests that sign in again. */
export async function newAccount(): Promise<DemoAccount> {
  const account = { tier: 'trial', email: `${crypto.randomUUID()}@cellfolio.test`, password: 'a passphrase' };
  await signUp(account.email, account.password);
  return account;
}

/** Somebody new in the free trial, whose images, subsets and files are the test's alone. */
export interface NewUser {
  /** As the authentication service answered it. */
  readonly session: string;
}

/** Signs up somebody new; they are signed in on this page from its next address on. */
export async function becomeNewUser(page: Page): Promise<NewUser> {
  const email = `e2e-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}@cellfolio.test`;
  const session = await signUp(email, 'a passphrase of the test');
  await signInAs(page, { session });
  return { session };
}

/** Signs a known user in on another page, as if the browser remembered them. */
export async function signInAs(page: Page, { session }: NewUser): Promise<void> {
  await page.addInitScript((stored) => {
    if (sessionStorage.getItem('signed-in') !== null) return;
    sessionStorage.setItem('signed-in', 'yes');
    localStorage.setItem('cellfolio-auth', stored);
  }, session);
}
