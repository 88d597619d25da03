import type { APIRequestContext } from '@playwright/test';
import type { DemoAccount } from './test.ts';

/** An account in its free trial that is the test's alone, with its password: for tests that sign in again. */
export async function newAccount(request: APIRequestContext): Promise<DemoAccount> {
  const { publishableKey } = (await (await request.get('/config.json')).json()) as { publishableKey: string };
  const account = { tier: 'trial', email: `${crypto.randomUUID()}@cellfolio.test`, password: 'a passphrase' };
  const answer = await request.post('/auth/v1/signup', {
    headers: { apikey: publishableKey },
    data: { email: account.email, password: account.password },
  });
  if (!answer.ok()) throw new Error(`signing up answered ${answer.status()}: ${await answer.text()}`);
  return account;
}
