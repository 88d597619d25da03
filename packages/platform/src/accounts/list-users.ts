import type { Database } from '../database/database.ts';
import { type Subscription, subscriptionFromRow, type SubscriptionRow } from './subscription.ts';

export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly confirmed: boolean;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
  readonly subscription: Subscription;
}

interface UserRow extends SubscriptionRow {
  readonly id: string;
  readonly email: string | null;
  readonly confirmed: boolean;
  readonly created_at: Date | string;
  readonly last_sign_in_at: Date | string | null;
}

/** Every account, oldest first. */
export async function listUsers(
  database: Database,
  { trialDays, now = new Date() }: { readonly trialDays: number; readonly now?: Date },
): Promise<ListedUser[]> {
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
