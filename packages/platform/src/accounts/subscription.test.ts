import { expect, test } from 'vitest';
import { subscriptionAt } from './subscription.ts';

const createdAt = new Date('2026-03-01T12:00:00Z');
const at = (time: string) => ({ trialDays: 7, now: new Date(time) });

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
] as const)('M58 %s', (_case, tier, end, now, subscribed, trialExpired) => {
  const until = end === null ? null : new Date(end);
  expect(subscriptionAt({ createdAt, tier, until }, at(now))).toEqual({
    subscribed,
    tier: subscribed ? tier : null,
    until: subscribed ? until : null,
    trialEndsAt: new Date('2026-03-08T12:00:00Z'),
    trialExpired,
  });
});
