import { AuthClient, type Session } from '@supabase/auth-js';
import { toast } from 'sonner';
import { afterEach, expect, test, vi } from 'vitest';
import { json } from '@/testing/fakes.ts';
import { endLostSession } from './end-lost-session.ts';

afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
});

/** The real client with a stored session, before a service that answers this about its user. */
function client(answer: () => Response) {
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
  const asked: string[] = [];
  const auth = new AuthClient({
    url: 'http://auth.test',
    storageKey: 's',
    autoRefreshToken: false,
    fetch: async (address) => {
      asked.push(String(address));
      return answer();
    },
  });
  return { auth, asked };
}

test('M28 M56 a session that was ended elsewhere is ended here, with one notice for many refusals', async () => {
  const told = vi.spyOn(toast, 'error');
  const { auth, asked } = client(() =>
    json({ code: 'session_not_found', error_code: 'session_not_found', message: 'Gone.' }, 403),
  );
  const check = endLostSession(auth);
  check();
  check();
  await vi.waitFor(() => expect(told).toHaveBeenCalledOnce());
  expect(asked).toEqual(['http://auth.test/user']);
  expect((await auth.getSession()).data.session).toBeNull();
});

test.each([
  ['lives', () => json({ id: 'ada' })],
  ['cannot be asked about', () => json({ message: 'down' }, 500)],
])('M56 a session that %s is kept', async (_state, answer) => {
  const told = vi.spyOn(toast, 'error');
  const { auth, asked } = client(answer);
  endLostSession(auth)();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await new Promise((done) => setTimeout(done, 0));
  expect(told).not.toHaveBeenCalled();
  expect((await auth.getSession()).data.session).not.toBeNull();
});
