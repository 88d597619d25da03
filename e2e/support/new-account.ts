import { signUp } from './sign-up.ts';
import type { DemoAccount } from './test.ts';

/** An account in its free trial that is the test's alone, with its password: for tests that sign in again. */
export async function newAccount(): Promise<DemoAccount> {
  const account = { tier: 'trial', email: `${crypto.randomUUID()}@cellfolio.test`, password: 'a passphrase' };
  await signUp(account.email, account.password);
  return account;
}
