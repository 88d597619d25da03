import type { Database } from '@cellfolio/platform';
import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { StripeSettings } from '../../runtime/functions/functions-settings.ts';
import type { Tier } from './subscription.ts';

/** The user whom a customer of the payment provider is here, if any. */
export async function userOfCustomer(database: Database, customerId: string): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ user_id: string }>(
    'select user_id from cellfolio.payment_customers where customer_id = $1',
    [customerId],
  );
  return rows[0]?.user_id;
}

export async function customerOfUser(database: Database, userId: string): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ customer_id: string }>(
    'select customer_id from cellfolio.payment_customers where user_id = $1',
    [userId],
  );
  return rows[0]?.customer_id;
}

/** Keeps who a customer is; who was first stays, and is returned. */
export async function keepCustomer(database: Database, userId: string, customerId: string): Promise<string> {
  await database.pool.query(
    `insert into cellfolio.payment_customers (user_id, customer_id) values ($1, $2) on conflict do nothing`,
    [userId, customerId],
  );
  return (await customerOfUser(database, userId)) ?? customerId;
}

export async function forgetCustomer(database: Database, customerId: string): Promise<void> {
  await database.pool.query('delete from cellfolio.payment_customers where customer_id = $1', [customerId]);
}

/** Whether there is such an account, and it was not removed. */
export async function isAccount(database: Database, userId: string): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    'select 1 from auth.users where id = $1 and deleted_at is null',
    [userId],
  );
  return rowCount === 1;
}

export async function wasDealtWith(database: Database, eventId: string): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    'select 1 from cellfolio.payment_events where event_id = $1',
    [eventId],
  );
  return rowCount === 1;
}

/** An event that was dealt with, and what came of it. */
interface EventRecord {
  readonly eventId: string;
  readonly type: string;
  readonly outcome: string;
}

/** Events are delivered again within days, by hand within weeks. */
const keptDays = 90;

export async function recordEvent(
  queryable: Pick<PoolClient, 'query'>,
  { eventId, type, outcome }: EventRecord,
): Promise<void> {
  await queryable.query(
    `insert into cellfolio.payment_events (event_id, type, outcome) values ($1, $2, $3) on conflict do nothing`,
    [eventId, type.slice(0, 200), outcome],
  );
  await queryable.query(
    `delete from cellfolio.payment_events where received_at < now() - make_interval(days => $1)`,
    [keptDays],
  );
}

interface SubscriptionWord extends SubscriptionState {
  readonly subscriptionId: string;
  readonly userId: string;
  /** When it was so: the time of the event, to the second. */
  readonly asOf: Date;
  /** When it was read at the provider; absent for what an event says itself. By the clock of the database. */
  readonly readAt?: string;
}

/** What became of a word: taken, or something as new or newer is known already. */
export type Taken = 'taken' | 'same-second' | 'stale';

/** The clock of the database, which all processes share, to the microsecond. */
export async function databaseClock(database: Database): Promise<string> {
  const { rows } = await database.pool.query<{ now: string }>('select clock_timestamp()::text as now');
  return rows[0]!.now;
}

/**
 * Takes what is known of a subscription unless something newer is known, and settles the plan of its user with it, in
 * one transaction that also records the event.
 */
export async function takeWord(
  database: Database,
  word: SubscriptionWord,
  event: Omit<EventRecord, 'outcome'>,
): Promise<Taken> {
  return database.transaction(async (client) => {
    // Two subscriptions of one user may change at once, and the plan follows from both.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 53))', [word.userId]);
    const { rowCount } = await client.query(
      `insert into cellfolio.payment_subscriptions as known
         (subscription_id, user_id, tier, until, status, as_of, read_at)
       values ($1, $2, $3, $4, $5, $6, coalesce($7::timestamptz, 'epoch'))
       on conflict (subscription_id) do update set
         user_id = excluded.user_id, tier = excluded.tier, until = excluded.until, status = excluded.status,
         as_of = excluded.as_of, read_at = excluded.read_at, updated_at = now()
       where (known.as_of, known.read_at) < (excluded.as_of, excluded.read_at)
         -- What has ended at Stripe never comes back: who buys again gets another subscription.
         and known.status not in ('canceled', 'incomplete_expired')`,
      [
        word.subscriptionId,
        word.userId,
        word.tier,
        word.until,
        word.status.slice(0, 100),
        word.asOf,
        word.readAt ?? null,
      ],
    );
    if (rowCount === 1) {
      await settlePlan(client, word.userId);
      await recordEvent(client, { ...event, outcome: 'taken' });
      return 'taken';
    }
    const { rows } = await client.query<{ same: boolean }>(
      'select as_of = $2 as same from cellfolio.payment_subscriptions where subscription_id = $1',
      [word.subscriptionId, word.asOf],
    );
    // Of two events of one second neither is known to be the later one: ask, before the event counts as dealt with.
    if (rows[0]?.same && word.readAt === undefined) return 'same-second';
    await recordEvent(client, { ...event, outcome: 'stale' });
    return 'stale';
  });
}

/** The plan that payments give: the best of the user's subscriptions. What the operator gave is another row. */
async function settlePlan(client: PoolClient, userId: string): Promise<void> {
  await client.query(
    `insert into public.subscriptions (user_id, source, tier, until)
     select $1, 'stripe', paid.tier, paid.until
     from (select 1) as one left join cellfolio.paid_plan($1) paid on true
     on conflict (user_id, source) do update set tier = excluded.tier, until = excluded.until`,
    [userId],
  );
}

/** The plan that the user pays for now, if any. */
export async function paidTier(database: Database, userId: string): Promise<Tier | undefined> {
  const { rows } = await database.pool.query<{ tier: Tier }>(
    'select tier from cellfolio.paid_plan($1) where counts',
    [userId],
  );
  return rows[0]?.tier;
}

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
