import type { Database } from '@cellfolio/platform';
import { limits } from '../../runtime/limits/limits.ts';

/** Maximum rows that one run deletes per rule; the rest is left for the next run. */
const batch = 5_000;

interface PruneRule {
  name: string;
  /** Schema-qualified. */
  table: string;
  /** Condition of the rows to delete; $1 is the time. */
  where: string;
  /** Belongs to a hosted project, which cleans it up itself. */
  bootstrap?: boolean;
}

/** Rows that are no longer needed, as documented in docs/operate.md. */
const pruneRules: readonly PruneRule[] = [
  {
    name: 'contact messages',
    table: 'public.contact_submissions',
    where: `created_at < $1::timestamptz - interval '1 year' or created_at < (
      select created_at from public.contact_submissions order by created_at desc offset 9999 limit 1)`,
  },
  {
    name: 'payment events',
    table: 'cellfolio.payment_events',
    where: `received_at < $1::timestamptz - interval '90 days'`,
  },
  {
    name: 'links to test payments',
    table: 'cellfolio.test_payment_links',
    where: 'expires_at < $1::timestamptz',
  },
  {
    name: 'tokens of connected apps',
    table: 'cellfolio.app_tokens',
    where: `expires_at < $1::timestamptz`,
  },
  {
    name: 'connected apps',
    table: 'cellfolio.connected_apps',
    where: `created_at < $1::timestamptz - interval '1 day'
      and not exists (select from cellfolio.app_tokens t where t.app_id = r.id)`,
  },
  {
    name: 'calls of tools',
    table: 'cellfolio.tool_calls',
    where: `at < $1::timestamptz - interval '${limits.toolCallDays.value} days' or id in (
      select id from (
        select id, row_number() over (partition by user_id order by id desc) as place from cellfolio.tool_calls
      ) placed where place > ${limits.listedToolCalls.value})`,
  },
  {
    name: 'open datasets of tabs',
    table: 'cellfolio.active_datasets',
    where: `updated_at < $1::timestamptz - interval '30 days'`,
  },
  {
    name: 'short links',
    table: 'cellfolio.user_documents',
    where: `kind = 'link' and used_at < $1::timestamptz - interval '1 year'`,
  },
  {
    name: 'sessions',
    table: 'auth.sessions',
    where: `coalesce(refreshed_at, created_at) < $1::timestamptz - interval '180 days' or not_after < $1::timestamptz`,
    bootstrap: true,
  },
  {
    // Accounts that an operator made or invited stay, and so do those that were signed in to. Who signs up has the id among
    // the metadata (insertUser), or was sent a code.
    name: 'accounts that were never confirmed',
    table: 'auth.users',
    where: `email_confirmed_at is null and phone_confirmed_at is null and last_sign_in_at is null
      and invited_at is null and deleted_at is null and not is_anonymous
      and (confirmation_sent_at is not null or raw_user_meta_data ->> 'sub' = id::text)
      and coalesce(confirmation_sent_at, created_at) < $1::timestamptz - interval '7 days'
      and not exists (select from auth.sessions s where s.user_id = r.id)`,
    bootstrap: true,
  },
  {
    // Without a session nobody can ever come back to it.
    name: 'anonymous accounts without a session',
    table: 'auth.users',
    where: `is_anonymous and updated_at < $1::timestamptz - interval '30 days'
      and not exists (select from auth.sessions s where s.user_id = r.id)`,
    bootstrap: true,
  },
  {
    name: 'mailed codes',
    table: 'auth.one_time_tokens',
    where: `expires_at < $1::timestamptz - interval '1 day'`,
    bootstrap: true,
  },
  {
    name: 'sign-ins that were begun',
    table: 'auth.flow_state',
    where: `created_at < $1::timestamptz - interval '1 day'`,
    bootstrap: true,
  },
  {
    name: 'second steps that were begun',
    table: 'auth.mfa_factors',
    where: `status = 'unverified' and created_at < $1::timestamptz - interval '1 day'`,
    bootstrap: true,
  },
  {
    name: 'challenges of second steps',
    table: 'auth.mfa_challenges',
    where: `created_at < $1::timestamptz - interval '1 day'`,
    bootstrap: true,
  },
];

/**
 * Deletes expired rows by the rules above; returns the number of deleted rows by rule name, without rules that deleted
 * none. Any number of processes may run it concurrently: rows that another process is deleting are skipped.
 */
export async function pruneRows(
  { pool }: Pick<Database, 'pool'>,
  now: Date = new Date(),
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ ours: boolean }>(
    `select exists (select from cellfolio.migrations where folder = 'bootstrap') as ours`,
  );
  const deletedCounts = new Map<string, number>();
  for (const { name, table, where, bootstrap = false } of pruneRules) {
    if (bootstrap && !rows[0]?.ours) continue;
    const { rowCount } = await pool.query(
      `delete from ${table} where ctid = any (array(
         select r.ctid from ${table} r where ${where} limit ${batch} for update skip locked))`,
      [now],
    );
    if (rowCount) deletedCounts.set(name, rowCount);
  }
  return deletedCounts;
}
