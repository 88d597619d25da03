// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import { openTestDatabase } from '@cellfolio/platform/testing';
import type { Database } from '@cellfolio/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPlan, subscriptionOf, type Tier } from './subscription.ts';

const userId = '00000000-0000-4000-8000-000000000058';
const email = 'trial@example.org';
const createdAt = new Date('2026-03-01T12:00:00Z');

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query('insert into auth.users (id, email, created_at) values ($1, $2, $3)', [
    userId,
    email,
    createdAt,
  ]);
});
afterAll(() => database?.close());

test.each([
  ['a day into the trial', null, null, '2026-03-02T12:00:00Z', false, false],
  ['a second before its end', null, null, '2026-03-08T11:59:59Z', false, false],
  ['at its end', null, null, '2026-03-08T12:00:00Z', false, true],
  ['with a plan that does not end', 'Standard', null, '2027-03-01T12:00:00Z', true, false],
  ['with a paid month', 'Professional', '2026-04-01T00:00:00Z', '2026-03-20T00:00:00Z', true, false],
  ['with a month that is over', 'Professional', '2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z', false, true],
  [
    'with a plan that ended during the trial',
    'Standard',
    '2026-03-03T00:00:00Z',
    '2026-03-04T00:00:00Z',
    false,
    false,
  ],
] as const)('%s', async (_case, tier, end, now, subscribed, trialExpired) => {
  const until = end === null ? null : new Date(end);
  await setPlan(database, email, tier, until);
  expect(await subscriptionOf(database, userId, { trialDays: 7, now: new Date(now) })).toEqual({
    subscribed,
    tier: subscribed ? tier : null,
    until: subscribed ? until : null,
    trialEndsAt: new Date('2026-03-08T12:00:00Z'),
    trialExpired,
  });
});

test('the trial may have any length, also none and half a day', async () => {
  await setPlan(database, email, null);
  const state = (trialDays: number, now: string) =>
    subscriptionOf(database, userId, { trialDays, now: new Date(now) });
  expect(await state(0, '2026-03-01T12:00:00Z')).toMatchObject({ trialExpired: true });
  expect(await state(0.5, '2026-03-01T23:59:59Z')).toMatchObject({ trialExpired: false });
  expect(await state(0.5, '2026-03-02T00:00:00Z')).toMatchObject({ trialExpired: true });
  expect(await state(30, '2026-03-31T11:59:59Z')).toMatchObject({ trialExpired: false });
});

test('a missing or deleted account has no subscription', async () => {
  const missing = '00000000-0000-4000-8000-000000000059';
  expect(await subscriptionOf(database, missing, { trialDays: 7 })).toBeUndefined();
  await database.pool.query(
    `insert into auth.users (id, email, deleted_at) values ($1, 'gone@example.org', now())`,
    [missing],
  );
  expect(await subscriptionOf(database, missing, { trialDays: 7 })).toBeUndefined();
});

test('row security decides the right to upload by the same rule', async () => {
  const plans: [Tier | null, Date | null][] = [
    [null, null],
    ['Standard', null],
    ['Professional', null],
    ['Professional', new Date(Date.now() + 3_600_000)],
    ['Professional', new Date(Date.now() - 3_600_000)],
  ];
  for (const [tier, until] of plans) {
    await setPlan(database, email, tier, until);
    const { rows } = await database.pool.query<{ may: boolean }>(
      'select cellfolio.is_professional($1) as may',
      [userId],
    );
    const subscription = await subscriptionOf(database, userId, { trialDays: 7 });
    expect(rows[0]?.may).toBe(subscription?.tier === 'Professional');
  }
});

test('a change of plan says when it was made', async () => {
  await setPlan(database, email, 'Standard');
  const read = async () => {
    const { rows } = await database.pool.query<{ at: string }>(
      'select updated_at::text as at from public.subscriptions where user_id = $1',
      [userId],
    );
    return rows[0]?.at;
  };
  const before = await read();
  await setPlan(database, email, 'Professional');
  expect(await read()).not.toBe(before);
});
