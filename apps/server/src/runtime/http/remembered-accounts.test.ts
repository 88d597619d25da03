import { expect, test } from 'vitest';
import { rememberAccounts } from './remembered-accounts.ts';

function counting() {
  const asked: string[] = [];
  let time = 0;
  let signedOut = false;
  const accounts = rememberAccounts(
    {
      userOf: async (token) => (asked.push(token), signedOut ? undefined : { userId: 'u' }),
      ownerOf: async () => undefined,
      trialExpired: async (userId) => (asked.push(userId), false),
      isOperator: async () => false,
    },
    () => time,
  );
  return { asked, accounts, wait: (ms: number) => (time += ms), signOut: () => (signedOut = true) };
}

test('a burst of calls asks once, and a sign-out is noticed after five seconds', async () => {
  const { asked, accounts, wait, signOut } = counting();
  await Promise.all([accounts.userOf('t'), accounts.userOf('t')]);
  await accounts.trialExpired('u');
  await accounts.trialExpired('u');
  expect(asked).toEqual(['t', 'u']);
  signOut();
  expect(await accounts.userOf('t')).toEqual({ userId: 'u' });
  wait(5000);
  expect(await accounts.userOf('t')).toBeUndefined();
});

test('a failure to ask is not remembered', async () => {
  let down = true;
  const accounts = rememberAccounts({
    userOf: async () => (down ? Promise.reject(new Error('no database')) : { userId: 'u' }),
    ownerOf: async () => undefined,
    trialExpired: async () => false,
    isOperator: async () => false,
  });
  await expect(accounts.userOf('t')).rejects.toThrow('no database');
  down = false;
  expect(await accounts.userOf('t')).toEqual({ userId: 'u' });
});
