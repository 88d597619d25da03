import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAuthClient } from './auth-client.ts';
import { sessionStorageKey } from './visitor-session.ts';

const user = { id: 'ada', email: 'ada@cellfolio.test' };
const sessionOf = (refresh_token: string, expiresIn: number) => ({
  access_token: 'a.b.c',
  refresh_token,
  token_type: 'bearer',
  expires_in: expiresIn,
  expires_at: Math.round(Date.now() / 1000) + expiresIn,
  user,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function clientOn(answer: () => Response) {
  localStorage.setItem(sessionStorageKey, JSON.stringify(sessionOf('old', -10)));
  const requests: number[] = [];
  const begun = Date.now();
  const client = createAuthClient(
    { supabaseUrl: 'http://cellfolio.test', publishableKey: 'key' },
    async () => {
      requests.push(Date.now() - begun);
      return answer();
    },
  );
  return { client, requests };
}

test('an outage keeps the session: the refresh is tried again after 200 ms, then twice as long each time', async () => {
  let outages = 3;
  const { client, requests } = clientOn(() =>
    outages-- > 0 ? new Response('{}', { status: 503 }) : Response.json(sessionOf('new', 3600)),
  );
  const session = client.getSession();
  await vi.advanceTimersByTimeAsync(5000);
  expect((await session).data.session?.refresh_token).toBe('new');
  expect(requests.map((at, n) => at - (requests[n - 1] ?? 0))).toEqual([0, 200, 400, 800]);
  await client.stopAutoRefresh();
});

test('a refresh that is refused for good ends the session', async () => {
  const refusal = { code: 'refresh_token_not_found', message: 'Invalid Refresh Token' };
  const { client, requests } = clientOn(() => Response.json(refusal, { status: 400 }));
  const session = client.getSession();
  await vi.advanceTimersByTimeAsync(5000);
  expect((await session).data.session).toBeNull();
  expect(requests).toHaveLength(1);
  expect(localStorage.getItem(sessionStorageKey)).toBeNull();
  await client.stopAutoRefresh();
});
