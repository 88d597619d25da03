import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { DemoAccount } from './test.ts';
import type { Page } from '@playwright/test';

interface NewUser extends DemoAccount {
  session: string;
}

export async function newAccount(): Promise<NewUser> {
  const account = { email: `${crypto.randomUUID()}@cellfolio.test`, password: 'a passphrase' };
  return { tier: 'trial', ...account, session: await session('signup', account) };
}

export async function sessionOf({ email, password }: DemoAccount): Promise<string> {
  return session('token?grant_type=password', { email, password });
}

async function session(call: string, account: { email: string; password: string }): Promise<string> {
  const site = process.env['CELLFOLIO_E2E_URL'] ?? '';
  const { publishableKey } = (await (await fetch(`${site}/config.json`)).json()) as {
    publishableKey: string;
  };
  const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request(
      `${site}/auth/v1/${call}`,
      {
        method: 'POST',
        headers: { apikey: publishableKey, 'content-type': 'application/json' },
        ...(process.platform === 'linux' && { localAddress: ownAddress() }),
      },
      (answer) => void text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject),
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(account));
  });
  if (status !== 200) throw new Error(`${call} answered ${status}: ${body}`);
  return body;
}

/** A loopback address that hardly any other test uses: one address allows thirty sign-ups in five minutes. */
function ownAddress(): string {
  const part = () => 1 + Math.floor(Math.random() * 254);
  return `127.${part()}.${part()}.${part()}`;
}

/** Signs up a new user, signed in on this page from its next navigation on. */
export async function becomeNewUser(page: Page): Promise<NewUser> {
  const user = await newAccount();
  await signInAs(page, user);
  return user;
}

/** Signs a user in on a page, from its next navigation on, as if the browser had stored the session. */
export async function signInAs(
  page: Page,
  { session }: Pick<NewUser, 'session'>,
  { takesTour = false } = {},
): Promise<void> {
  await page.addInitScript(
    ([stored, tour]) => {
      if (sessionStorage.getItem('signed-in') !== null) return;
      sessionStorage.setItem('signed-in', 'yes');
      localStorage.setItem('cellfolio-auth', stored);
      const { user } = JSON.parse(stored) as { user: { id: string } };
      // The tour would begin by itself.
      if (!tour) localStorage.setItem(`cellfolio:tour:${user.id}`, 'seen');
    },
    [session, takesTour] as const,
  );
}
