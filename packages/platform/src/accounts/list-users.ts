import type { Database } from '../database/database.ts';
import { type Subscription, subscriptionAt, type Tier } from './subscription.ts';

export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly confirmed: boolean;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
  readonly subscription: Subscription;
}

/** Every account, oldest first. */
export async function listUsers(
  database: Database,
  { trialDays = 7, now = new Date() }: { readonly trialDays?: number; readonly now?: Date } = {},
): Promise<ListedUser[]> {
  const { rows } = await database.pool.query<{
    id: string;
    email: string | null;
    confirmed: boolean;
    created_at: Date | string;
    last_sign_in_at: Date | string | null;
    tier: Tier | null;
    until: Date | string | null;
  }>(
    `select u.id, u.email, u.email_confirmed_at is not null as confirmed, u.created_at, u.last_sign_in_at, s.tier, s.until
     from auth.users u left join public.subscriptions s on s.user_id = u.id
     where u.deleted_at is null order by u.created_at, u.id`,
  );
  return rows.map((row) => {
    const createdAt = new Date(row.created_at);
    const until = row.until === null ? null : new Date(row.until);
    return {
      id: row.id,
      email: row.email ?? '',
      confirmed: row.confirmed,
      createdAt,
      lastSignInAt: row.last_sign_in_at === null ? null : new Date(row.last_sign_in_at),
      subscription: subscriptionAt({ createdAt, tier: row.tier, until }, { trialDays, now }),
    };
  });
}
