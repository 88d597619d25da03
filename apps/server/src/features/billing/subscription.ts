import { AccountError, type Database } from '@cellfolio/platform';

export type Tier = 'Standard' | 'Professional';

export interface Subscription {
  subscribed: boolean;
  tier: Tier | null;
  /** End of the paid period; null without one. */
  until: Date | null;
  trialEndsAt: Date;
  trialExpired: boolean;
}

/** A subscription as the database's rule returns it; times are dates of the driver or texts. */
interface SubscriptionRow {
  subscribed: boolean;
  tier: Tier | null;
  until: Date | string | null;
  trial_ends_at: Date | string;
  trial_expired: boolean;
}

function subscriptionFromRow(row: SubscriptionRow): Subscription {
  return {
    subscribed: row.subscribed,
    tier: row.tier,
    until: row.until === null ? null : new Date(row.until),
    trialEndsAt: new Date(row.trial_ends_at),
    trialExpired: row.trial_expired,
  };
}

/**
 * Plan and trial of a user; undefined when there is no such user. One query. The rule itself is only in the SQL
 * function `cellfolio.subscription_at`, which row security uses as well. Each of the `trialDays` has 24 hours.
 */
export async function subscriptionOf(
  database: Database,
  userId: string,
  { trialDays, now = new Date() }: { trialDays: number; now?: Date },
): Promise<Subscription | undefined> {
  const { rows } = await database.pool.query<SubscriptionRow>(
    'select * from cellfolio.subscription_of($1, $2, $3)',
    [userId, trialDays, now],
  );
  return rows[0] && subscriptionFromRow(rows[0]);
}

/**
 * Grants the account a plan from the operator, until a date or without end; null revokes it. A paid plan is stored
 * beside it, and the better one counts. Throws AccountError `no_such_account`.
 */
export async function setPlan(
  database: Database,
  email: string,
  tier: Tier | null,
  until: Date | null = null,
): Promise<void> {
  const { rowCount } = await database.pool.query(
    `insert into public.subscriptions (user_id, source, tier, until)
     select o.id, 'operator', $2::text, $3::timestamptz
     from auth.users u join cellfolio.owners o on o.user_id = u.id where u.email = $1 and u.deleted_at is null
     on conflict (user_id, source) do update set tier = excluded.tier, until = excluded.until`,
    [email.trim().toLowerCase(), tier, tier === null ? null : until],
  );
  if (rowCount === 0) throw new AccountError('no_such_account', email);
}

interface UserRow extends SubscriptionRow {
  id: string;
  email: string | null;
  confirmed: boolean;
  created_at: Date | string;
  last_sign_in_at: Date | string | null;
}

export async function listUsers(
  database: Database,
  { trialDays, now = new Date() }: { trialDays: number; now?: Date },
) {
  const { rows } = await database.pool.query<UserRow>(
    `select u.id, u.email, u.email_confirmed_at is not null as confirmed, u.created_at, u.last_sign_in_at, s.*
     from auth.users u
     cross join lateral cellfolio.subscription_of(u.id, $1, $2) s
     where u.deleted_at is null order by u.created_at, u.id`,
    [trialDays, now],
  );
  return rows.map((row) => ({
    id: row.id,
    email: row.email ?? '',
    confirmed: row.confirmed,
    createdAt: new Date(row.created_at),
    lastSignInAt: row.last_sign_in_at === null ? null : new Date(row.last_sign_in_at),
    subscription: subscriptionFromRow(row),
  }));
}
