import { expect, test, vi } from 'vitest';
import { createBackend } from './backend.ts';

const config = { supabaseUrl: 'http://cellfolio.test', publishableKey: 'publishable' };

function backendOf(token: string | null, answer: (request: Request) => Response) {
  const send = vi.fn(async (input: RequestInfo | URL, init?: RequestInit) =>
    answer(new Request(input as string, init)),
  );
  return createBackend({ config, accessToken: async () => token, fetch: send as typeof fetch });
}

test('rows are requested with the current session', async () => {
  const requests: Request[] = [];
  const backend = backendOf('token', (request) => {
    requests.push(request);
    return Response.json([{ id: 1 }]);
  });
  const { data } = await (await backend.tables()).from('user_files').select('id');
  expect(data).toEqual([{ id: 1 }]);
  expect(requests[0]?.url).toBe('http://cellfolio.test/rest/v1/user_files?select=id');
  expect(requests[0]?.headers.get('apikey')).toBe('publishable');
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer token');
});

test('signed out, a function is called with the publishable key', async () => {
  const requests: Request[] = [];
  const backend = backendOf(null, (request) => {
    requests.push(request);
    return Response.json({ sent: true });
  });
  const { data, error } = await (
    await backend.functions()
  ).invoke('send-contact-email', { body: { name: 'Ada' } });
  expect(error).toBeNull();
  expect(data).toEqual({ sent: true });
  expect(requests[0]?.url).toBe('http://cellfolio.test/functions/v1/send-contact-email');
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer publishable');
});

test('a client is made once', async () => {
  const backend = backendOf(null, () => Response.json({}));
  expect(await backend.files()).toBe(await backend.files());
});

test('a table that is missing for a moment is requested once', async () => {
  const answer = vi.fn(() => Response.json({ message: 'busy' }, { status: 503 }));
  const { error } = await (await backendOf('token', answer).tables()).from('user_files').select('id');
  expect(error?.message).toBe('busy');
  expect(answer).toHaveBeenCalledTimes(1);
});
