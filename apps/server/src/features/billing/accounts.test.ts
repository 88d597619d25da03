// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { openTestDatabase, refreshTokenKey } from '@cellfolio/platform/testing';
import { createUser, type Database, provisionKeys } from '@cellfolio/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listUsers } from './subscription.ts';
import { setPlan, subscriptionOf } from './subscription.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const password = 'correct horse';

test('keys are made once and stay, also when processes start at once', async () => {
  const [one, two] = await Promise.all([provisionKeys(database), provisionKeys(database)]);
  expect(one).toEqual(two);
  expect(await provisionKeys(database)).toEqual(one);
  expect(one.publishableKey).toMatch(/^sb_publishable_[\w-]{32}$/);
  expect(one.secretKey).toMatch(/^sb_secret_[\w-]{32}$/);
  expect(new Set(Object.values(one)).size).toBe(3);
  expect(await refreshTokenKey(database)).toHaveLength(32);
});

test('plan and trial of an account follow what the operator sets', async () => {
  const createdAt = new Date('2026-03-01T12:00:00Z');
  const now = new Date('2026-03-20T12:00:00Z');
  const { id } = await createUser(database, {
    email: 'Plan@Example.org',
    password,
    confirmed: true,
    createdAt,
  });
  const state = () => subscriptionOf(database, id, { trialDays: 7, now });
  expect(await state()).toMatchObject({ subscribed: false, tier: null, trialExpired: true });
  await setPlan(database, 'plan@example.org', 'Professional', new Date('2026-04-01T00:00:00Z'));
  expect(await state()).toMatchObject({
    subscribed: true,
    tier: 'Professional',
    until: new Date('2026-04-01T00:00:00Z'),
    trialExpired: false,
  });
  await setPlan(database, 'PLAN@example.org', 'Standard');
  expect(await state()).toMatchObject({ subscribed: true, tier: 'Standard', until: null });
  await setPlan(database, 'plan@example.org', null);
  expect(await state()).toMatchObject({ subscribed: false, tier: null, trialExpired: true });
  expect(await listUsers(database, { trialDays: 30, now })).toMatchObject([
    { id, email: 'plan@example.org', confirmed: true, createdAt, subscription: { trialExpired: false } },
  ]);
});

test('a user reads their own plan and cannot change it', async () => {
  const { id } = await createUser(database, { email: 'own@example.org', password, confirmed: true });
  await setPlan(database, 'own@example.org', 'Standard');
  const caller = { role: 'authenticated', claims: { sub: id } } as const;
  const subscriptions = await database.as(caller, (client) =>
    client.query('select tier from public.subscriptions'),
  );
  expect(subscriptions.rows).toEqual([{ tier: 'Standard' }]);
  await expect(
    database.as(caller, (client) => client.query(`update public.subscriptions set tier = 'Professional'`)),
  ).rejects.toMatchObject({ code: '42501' });
});

test('no role of a caller can read accounts, sessions, keys or secrets', async () => {
  for (const role of ['anon', 'authenticated', 'service_role'] as const) {
    for (const table of [
      'users',
      'sessions',
      'signing_keys',
      'one_time_tokens',
      'service_secrets',
      'identities',
    ]) {
      await expect(
        database.as({ role }, (client) => client.query(`select * from auth.${table}`)),
      ).rejects.toMatchObject({ code: '42501' });
    }
  }
});

test('what an operator cannot do is refused by name', async () => {
  await createUser(database, { email: 'twice@example.org', password, confirmed: true });
  await expect(
    createUser(database, { email: 'Twice@example.org', password, confirmed: true }),
  ).rejects.toMatchObject({
    name: 'AccountError',
    code: 'email_taken',
  });
  await expect(setPlan(database, 'nobody@example.org', 'Standard')).rejects.toMatchObject({
    code: 'no_such_account',
  });
  await expect(createUser(database, { email: 'x', password, confirmed: true })).rejects.toMatchObject({
    code: 'validation_failed',
  });
  await expect(
    createUser(database, { email: 'weak@example.org', password: '12345', confirmed: true }),
  ).rejects.toMatchObject({ code: 'weak_password' });
  expect(
    await subscriptionOf(database, '00000000-0000-4000-8000-000000000000', { trialDays: 7 }),
  ).toBeUndefined();
});
