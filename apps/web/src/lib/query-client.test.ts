import { expect, test } from 'vitest';
import { createQueryClient, resetForNextUser } from './query-client.ts';
import { createSessionStore } from './session-store.ts';

type Listener = Parameters<Parameters<typeof createSessionStore>[0]['onAuthStateChange']>[0];

function signedIn(id: string): Parameters<Listener>[1] {
  return { user: { id, email: `${id}@example.org` }, access_token: id } as unknown as Parameters<Listener>[1];
}

test('what one user was answered is dropped when another signs in, and kept for the same user', async () => {
  let change: Listener = () => {};
  const session = createSessionStore({
    onAuthStateChange: (listener: Listener) => {
      change = listener;
    },
  } as Parameters<typeof createSessionStore>[0]);
  change('SIGNED_IN', signedIn('first'));
  const client = createQueryClient();
  const end = resetForNextUser(client, session);
  client.setQueryData(['columns'], 'of the first');
  change('SIGNED_OUT', null);
  change('SIGNED_IN', signedIn('first'));
  expect(client.getQueryData(['columns'])).toBe('of the first');
  change('SIGNED_OUT', null);
  change('SIGNED_IN', signedIn('second'));
  expect(client.getQueryData(['columns'])).toBeUndefined();
  end();
});
