import { afterEach, expect, test, vi } from 'vitest';
import { createProviderAuth } from './provider-auth.ts';

afterEach(() => vi.unstubAllGlobals());

test('a visit to a provider carries a challenge, and comes back to a session that is kept nowhere', async () => {
  const config = { supabaseUrl: 'http://cellfolio.test', publishableKey: 'publishable' };
  const away = createProviderAuth(config);
  const { data } = await away.signInWithOAuth({
    provider: 'github',
    options: { redirectTo: 'http://cellfolio.test/auth/callback', skipBrowserRedirect: true },
  });
  const address = new URL(data.url ?? '');
  expect(address.pathname).toBe('/auth/v1/authorize');
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    provider: 'github',
    redirect_to: 'http://cellfolio.test/auth/callback',
    code_challenge: expect.stringMatching(/.{43}/),
    code_challenge_method: 's256',
  });

  const requestBodies: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    requestBodies.push(JSON.parse(String(init.body)));
    const user = { id: 'ada', email: 'ada@cellfolio.test' };
    return Response.json({ access_token: 'a.b.c', refresh_token: 'refresh', expires_in: 3600, user });
  });
  // The page is another one after the visit.
  const back = createProviderAuth(config);
  const answer = await back.exchangeCodeForSession('code');
  expect(answer.data.session?.refresh_token).toBe('refresh');
  expect(requestBodies).toEqual([{ auth_code: 'code', code_verifier: expect.stringMatching(/^.{43,}$/) }]);
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('refresh');
});
