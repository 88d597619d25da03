import type { Database } from '../database/database.ts';
import { AccountError } from './account-error.ts';

export type Tier = 'Standard' | 'Professional';

export interface Subscription {
  readonly subscribed: boolean;
  /** Null unless subscribed. */
  readonly tier: Tier | null;
  /** End of the paid period; null where there is none. */
  readonly until: Date | null;
  readonly trialEndsAt: Date;
  /** The trial is over and there is no plan in its place. */
  readonly trialExpired: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** What a plan and an account's age mean now: the one rule that every part of the product goes by. */
export function subscriptionAt(
  account: { readonly createdAt: Date; readonly tier: Tier | null; readonly until: Date | null },
  { trialDays, now }: { readonly trialDays: number; readonly now: Date },
): Subscription {
  const subscribed = account.tier !== null && (account.until === null || account.until > now);
  const trialEndsAt = new Date(account.createdAt.getTime() + trialDays * dayMs);
  return {
    subscribed,
    tier: subscribed ? account.tier : null,
    until: subscribed ? account.until : null,
    trialEndsAt,
    trialExpired: !subscribed && now >= trialEndsAt,
  };
}

/** Plan and trial of a user; undefined when there is no such user. One query. */
export async function subscriptionOf(
  database: Database,
  userId: string,
  { trialDays, now = new Date() }: { readonly trialDays: number; readonly now?: Date },
): Promise<Subscription | undefined> {
  const { rows } = await database.pool.query<{
    created_at: Date | string;
    tier: Tier | null;
    until: Date | string | null;
  }>(
    `select u.created_at, s.tier, s.until from auth.users u left join public.subscriptions s on s.user_id = u.id
     where u.id = $1 and u.deleted_at is null`,
    [userId],
  );
  const row = rows[0];
  if (!row) return undefined;
  const account = {
    createdAt: new Date(row.created_at),
    tier: row.tier,
    until: row.until === null ? null : new Date(row.until),
  };
  return subscriptionAt(account, { trialDays, now });
}

/** Gives the account a plan, until then or without end; null takes it away. Throws AccountError `no_such_account`. */
export async function setPlan(
  database: Database,
  email: string,
  tier: Tier | null,
  until: Date | null = null,
): Promise<void> {
  const { rowCount } = await database.pool.query(
    `insert into public.subscriptions (user_id, tier, until)
     select id, $2::text, $3::timestamptz from auth.users where email = $1 and deleted_at is null
     on conflict (user_id) do update set tier = excluded.tier, until = excluded.until`,
    [email.trim().toLowerCase(), tier, tier === null ? null : until],
  );
  if (rowCount === 0) throw new AccountError('no_such_account', email);
}
