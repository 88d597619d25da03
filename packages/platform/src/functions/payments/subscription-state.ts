import { z } from 'zod';
import type { Tier } from '../../accounts/subscription.ts';
import type { StripeSettings } from '../functions-settings.ts';

const id = z.string().min(1).max(255);
/** An id, or the whole object where the sender expanded it. */
const reference = z.union([id, z.looseObject({ id }).transform((object) => object.id)]);
const seconds = z.number().int().nonnegative();

/**
 * What is read of a subscription at Stripe. A webhook speaks the version of the API that its endpoint was made with:
 * the billing period is part of the items since 2025, of the subscription before.
 */
export const stripeSubscription = z.looseObject({
  id,
  customer: reference,
  status: z.string().max(100),
  current_period_start: seconds.nullish(),
  current_period_end: seconds.nullish(),
  // name-dictionary: keys that we gave
  metadata: z.record(z.string(), z.string()).nullish(),
  items: z.looseObject({
    data: z.array(
      z.looseObject({
        price: z.looseObject({ id }),
        current_period_start: seconds.nullish(),
        current_period_end: seconds.nullish(),
      }),
    ),
  }),
});
export type StripeSubscription = z.output<typeof stripeSubscription>;

/** What a subscription gives: a plan until then, or none. */
export interface SubscriptionState {
  readonly tier: Tier | null;
  readonly until: Date | null;
  readonly status: string;
}

const daysUnpaid = 7;
const dayMs = 86_400_000;

/**
 * The plan that a subscription gives, by its status: paid (`active`, `trialing`) until the end of its period; `past_due`
 * for seven days into the period that is not paid, in which Stripe tries the card again; every other status gives none.
 */
export function stateOf(
  subscription: StripeSubscription,
  prices: StripeSettings['prices'],
): SubscriptionState {
  const { status } = subscription;
  const none = { tier: null, until: null, status };
  const tier = tierOfSubscription(subscription, prices);
  if (tier === null) return none;
  const period = periodOf(subscription);
  if (period === undefined) return none;
  if (status === 'active' || status === 'trialing') return { tier, until: period.end, status };
  if (status !== 'past_due') return none;
  const last = period.start.getTime() + daysUnpaid * dayMs;
  return { tier, until: new Date(Math.min(last, period.end.getTime())), status };
}

/** By the prices of its items, the best of them; by what was written down at the checkout where no price is known. */
function tierOfSubscription(
  { items, metadata }: StripeSubscription,
  { standard, professional }: StripeSettings['prices'],
): Tier | null {
  const bought = items.data.map(({ price }) => price.id);
  if (bought.some((price) => professional.includes(price))) return 'Professional';
  if (bought.some((price) => standard.includes(price))) return 'Standard';
  if (metadata?.['plan'] === 'professional') return 'Professional';
  return metadata?.['plan'] === 'standard' ? 'Standard' : null;
}

function periodOf(subscription: StripeSubscription): { start: Date; end: Date } | undefined {
  const all = [...subscription.items.data, subscription];
  const ends = all.flatMap(({ current_period_end: end }) => end ?? []);
  if (ends.length === 0) return undefined;
  const end = Math.max(...ends);
  const starts = all.flatMap(({ current_period_start: start }) => start ?? []);
  return { start: at(starts.length === 0 ? end : Math.max(...starts)), end: at(end) };
}

/** Stripe counts seconds since 1970. */
export function at(secondsSince1970: number): Date {
  return new Date(secondsSince1970 * 1000);
}
