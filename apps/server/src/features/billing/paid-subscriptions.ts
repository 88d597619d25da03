import type { Database } from '@cellfolio/platform';
import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { Owner } from '../../runtime/owners.ts';
import type { StripeSettings } from '../../runtime/functions/functions-settings.ts';
import type { Tier } from './subscription.ts';

export async function ownerOfCustomer(database: Database, customerId: string): Promise<Owner | undefined> {
  const { rows } = await database.pool.query<{ owner_id: Owner }>(
    'select owner_id from cellfolio.payment_customers where customer_id = $1',
    [customerId],
  );
  return rows[0]?.owner_id;
}

export async function customerOfOwner(database: Database, owner: Owner): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ customer_id: string }>(
    'select customer_id from cellfolio.payment_customers where owner_id = $1',
    [owner],
  );
  return rows[0]?.customer_id;
}

/** Stores the customer of an owner; the first one stored stays and is returned. */
export async function keepCustomer(database: Database, owner: Owner, customerId: string): Promise<string> {
  await database.pool.query(
    `insert into cellfolio.payment_customers (owner_id, customer_id) values ($1, $2) on conflict do nothing`,
    [owner, customerId],
  );
  return (await customerOfOwner(database, owner)) ?? customerId;
}

export async function forgetCustomer(database: Database, customerId: string): Promise<void> {
  await database.pool.query('delete from cellfolio.payment_customers where customer_id = $1', [customerId]);
}

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

interface EventRecord {
  eventId: string;
  type: string;
  outcome: string;
}

/** Events are redelivered automatically within days, manually within weeks. */
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
  subscriptionId: string;
  owner: Owner;
  /** Time of the event, to the second. */
  asOf: Date;
  /**
   * Time when the state was read at the provider, by the database's clock; absent for a state taken from an event
   * itself.
   */
  readAt?: string;
}

/** `taken`, or rejected because a state of the same second or a newer one is stored already. */
export type Taken = 'taken' | 'same-second' | 'stale';

/** The database's clock, shared by all processes, to the microsecond. */
export async function databaseClock(database: Database): Promise<string> {
  const { rows } = await database.pool.query<{ now: string }>('select clock_timestamp()::text as now');
  return rows[0]!.now;
}

/**
 * Stores a subscription's state unless a newer one is stored, and updates its owner's plan, in one transaction that also
 * records the event.
 */
export async function takeWord(
  database: Database,
  word: SubscriptionWord,
  event: Omit<EventRecord, 'outcome'>,
): Promise<Taken> {
  return database.transaction(async (client) => {
    // Two subscriptions of one owner may change at once, and the plan follows from both.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 53))', [word.owner]);
    const { rowCount } = await client.query(
      `insert into cellfolio.payment_subscriptions as known
         (subscription_id, owner_id, tier, until, status, as_of, read_at)
       values ($1, $2, $3, $4, $5, $6, coalesce($7::timestamptz, 'epoch'))
       on conflict (subscription_id) do update set
         owner_id = excluded.owner_id, tier = excluded.tier, until = excluded.until, status = excluded.status,
         as_of = excluded.as_of, read_at = excluded.read_at, updated_at = now()
       where (known.as_of, known.read_at) < (excluded.as_of, excluded.read_at)
         -- What has ended at Stripe never comes back: who buys again gets another subscription.
         and known.status not in ('canceled', 'incomplete_expired')`,
      [
        word.subscriptionId,
        word.owner,
        word.tier,
        word.until,
        word.status.slice(0, 100),
        word.asOf,
        word.readAt ?? null,
      ],
    );
    if (rowCount === 1) {
      await settlePlan(client, word.owner);
      await recordEvent(client, { ...event, outcome: 'taken' });
      return 'taken';
    }
    const { rows } = await client.query<{ same: boolean }>(
      'select as_of = $2 as same from cellfolio.payment_subscriptions where subscription_id = $1',
      [word.subscriptionId, word.asOf],
    );
    // Two events of one second have no known order: ask, before the event counts as processed.
    if (rows[0]?.same && word.readAt === undefined) return 'same-second';
    await recordEvent(client, { ...event, outcome: 'stale' });
    return 'stale';
  });
}

/** Sets the plan from payments to the best of the owner's subscriptions. A plan given by the operator is another row. */
async function settlePlan(client: PoolClient, owner: Owner): Promise<void> {
  await client.query(
    `insert into public.subscriptions (user_id, source, tier, until)
     select $1, 'stripe', paid.tier, paid.until
     from (select 1) as one left join cellfolio.paid_plan($1) paid on true
     on conflict (user_id, source) do update set tier = excluded.tier, until = excluded.until`,
    [owner],
  );
}

export async function paidTier(database: Database, owner: Owner): Promise<Tier | undefined> {
  const { rows } = await database.pool.query<{ tier: Tier }>(
    'select tier from cellfolio.paid_plan($1) where counts',
    [owner],
  );
  return rows[0]?.tier;
}

const id = z.string().min(1).max(255);
/** An id, or the whole object where the sender expanded it. */
const reference = z.union([id, z.looseObject({ id }).transform((object) => object.id)]);
const seconds = z.number().int().nonnegative();

/**
 * Fields read from a Stripe subscription. A webhook uses the API version of its endpoint: the billing period is part of
 * the items since 2025, of the subscription before.
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

/** The plan that a subscription grants until a date, or none. */
export interface SubscriptionState {
  tier: Tier | null;
  until: Date | null;
  status: string;
}

const daysUnpaid = 7;
const dayMs = 86_400_000;

/**
 * The plan that a subscription grants by its status: `active` and `trialing` until the end of the period; `past_due`
 * for seven days into the unpaid period, while Stripe retries the card; every other status grants none.
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

/** By the best of the prices of its items; by the metadata written at checkout when no price is known. */
function tierOfSubscription(
  { items, metadata }: StripeSubscription,
  { standard: standardPrices, professional: professionalPrices }: StripeSettings['prices'],
): Tier | null {
  const bought = items.data.map(({ price }) => price.id);
  if (bought.some((price) => professionalPrices.includes(price))) return 'Professional';
  if (bought.some((price) => standardPrices.includes(price))) return 'Standard';
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
