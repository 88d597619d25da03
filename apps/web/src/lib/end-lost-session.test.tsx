import { AuthClient, type Session } from '@supabase/auth-js';
import { afterEach, expect, test } from 'vitest';
import { json } from '@/testing/fakes.ts';
import { endLostSession, sessionWasLost } from './end-lost-session.ts';

afterEach(() => localStorage.clear());

function client(answer: (address: string) => Response) {
  const user = { id: 'ada', aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '' };
  const session: Session = {
    access_token: `e30.${btoa('{}')}.x`,
    refresh_token: 'r',
    expires_in: 3600,
    expires_at: Date.now() / 1000 + 3600,
    token_type: 'bearer',
    user,
  };
  localStorage.setItem('s', JSON.stringify(session));
  const requests: string[] = [];
  const auth = new AuthClient({
    url: 'http://auth.test',
    storageKey: 's',
    autoRefreshToken: false,
    fetch: async (address) => {
      requests.push(String(address));
      return answer(String(address));
    },
  });
  return { auth, requests };
}

test('a session that was ended elsewhere is ended here, and checked once for many refusals', async () => {
  const { auth, requests } = client(() =>
    json({ code: 'session_not_found', error_code: 'session_not_found', message: 'Gone.' }, 403),
  );
  const check = endLostSession(auth);
  check();
  check();
  await expect.poll(() => sessionWasLost()).toBe(true);
  expect(requests).toEqual(['http://auth.test/user']);
  expect((await auth.getSession()).data.session).toBeNull();
  // Whoever signs out is not told so.
  await auth.signOut();
  expect(sessionWasLost()).toBe(false);
});

test.each([
  ['lives', () => json({ id: 'ada' })],
  ['cannot be checked', () => json({ message: 'down' }, 500)],
])('a session that %s is kept', async (_state, answer) => {
  const { auth, requests } = client(answer);
  endLostSession(auth)();
  await expect.poll(() => requests).toHaveLength(1);
  await new Promise((done) => setTimeout(done, 0));
  expect(sessionWasLost()).toBe(false);
  expect((await auth.getSession()).data.session).not.toBeNull();
});

test('a session whose token is refused before its time gets a new one', async () => {
  const { auth, requests } = client((address) =>
    address.endsWith('/user')
      ? json({ code: 403, error_code: 'bad_jwt', msg: 'The access token has expired.' }, 403)
      : json({
          access_token: `e30.${btoa('{}')}.new`,
          refresh_token: 'r2',
          expires_in: 3600,
          token_type: 'bearer',
          user: { id: 'ada' },
        }),
  );
  endLostSession(auth)();
  await expect.poll(async () => (await auth.getSession()).data.session?.refresh_token).toBe('r2');
  expect(requests).toEqual(['http://auth.test/user', 'http://auth.test/token?grant_type=refresh_token']);
  expect(sessionWasLost()).toBe(false);
});
