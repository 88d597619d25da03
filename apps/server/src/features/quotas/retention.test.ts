// Test databases are no part of what the platform offers at run time.
// oxlint-disable-next-line no-restricted-imports
import {
  insertAnonymousUser,
  insertPhoneUser,
  insertUser,
  type TestDatabase,
  slowMs,
  testedDatabases,
} from '@cellfolio/platform/testing';
import { type Database } from '@cellfolio/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pruneRows } from './retention.ts';

const now = new Date('2026-06-15T12:00:00Z');
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);

describe.each(testedDatabases())('what is past its time in a database of kind %s', (_kind, open) => {
  let opened: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    opened = await open();
    database = opened.database;
  }, slowMs);
  afterAll(() => opened?.remove());
  beforeEach(async () => {
    await database.pool.query('delete from auth.users');
    await database.pool.query('delete from public.contact_submissions');
  });

  const account = async (
    email: string,
    days: number,
    more: { byOperator?: boolean } = {},
  ): Promise<string> => {
    const user = await insertUser(database.pool, {
      email,
      passwordHash: null,
      confirmed: false,
      userMetadata: {},
      createdAt: daysAgo(days),
      ...more,
    });
    return user!.id;
  };
  const set = (id: string, columns: string) =>
    database.pool.query(`update auth.users set ${columns} where id = $1`, [id]);
  const session = (user: string, refreshed: Date, notAfter: Date | null = null) =>
    database.pool.query(
      'insert into auth.sessions (user_id, refreshed_at, created_at, not_after) values ($1, $2, $2, $3)',
      [user, refreshed, notAfter],
    );
  const names = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select coalesce(email, phone, 'anonymous') as name from auth.users order by 1`,
    );
    return rows.map(({ name }) => name);
  };

  test('accounts that were never confirmed go after a week, unless an operator made or invited them', async () => {
    await account('old@example.org', 8);
    await account('new@example.org', 6);
    const accountId = await account('asked-again@example.org', 30);
    await database.pool.query('update auth.users set confirmation_sent_at = $2 where id = $1', [
      accountId,
      daysAgo(2),
    ]);
    await account('made@example.org', 30, { byOperator: true });
    await set(await account('invited@example.org', 30), `invited_at = created_at`);
    await set(await account('confirmed@example.org', 30), `email_confirmed_at = created_at`);
    await set(await account('used@example.org', 30), `last_sign_in_at = created_at`);
    const phone = { passwordHash: null, userMetadata: {}, createdAt: daysAgo(8) };
    await insertPhoneUser(database.pool, { ...phone, phone: '15550001' });
    await insertPhoneUser(database.pool, { ...phone, phone: '15550002', byOperator: true });
    expect(await pruneRows(database, now)).toEqual(new Map([['accounts that were never confirmed', 2]]));
    expect(await names()).toEqual([
      '15550002',
      'asked-again@example.org',
      'confirmed@example.org',
      'invited@example.org',
      'made@example.org',
      'new@example.org',
      'used@example.org',
    ]);
  });

  test('sessions end half a year after their last use, and anonymous accounts a month after their last session', async () => {
    const user = await account('ada@example.org', 400);
    await set(user, 'email_confirmed_at = created_at');
    await session(user, daysAgo(181));
    await session(user, daysAgo(179));
    await session(user, daysAgo(1), daysAgo(0.5));
    for (const days of [31, 29]) {
      await insertAnonymousUser(database.pool, { userMetadata: {}, createdAt: daysAgo(days) });
    }
    const living = await insertAnonymousUser(database.pool, { userMetadata: {}, createdAt: daysAgo(100) });
    await session(living!.id, daysAgo(100));
    expect(await pruneRows(database, now)).toEqual(
      new Map([
        ['sessions', 2],
        ['anonymous accounts without a session', 1],
      ]),
    );
    expect(await names()).toEqual(['ada@example.org', 'anonymous', 'anonymous']);
  });

  test('messages are kept for a year, and no more than the newest ten thousand', async () => {
    const add = (rows: number, at: Date) =>
      database.pool.query(
        `insert into public.contact_submissions (name, email, message, created_at)
         select 'N', 'E', 'M', $2::timestamptz - n * interval '1 second' from generate_series(1, $1) n`,
        [rows, at],
      );
    await add(3, daysAgo(366));
    await add(5, daysAgo(364));
    expect(await pruneRows(database, now)).toEqual(new Map([['contact messages', 3]]));
    await add(10_000, daysAgo(1));
    // Two processes at once, and once more: each row is counted once.
    const runs = await Promise.all([pruneRows(database, now), pruneRows(database, now)]);
    runs.push(await pruneRows(database, now));
    expect(runs.reduce((sum, run) => sum + (run.get('contact messages') ?? 0), 0)).toBe(5);
    const { rows } = await database.pool.query('select from public.contact_submissions');
    expect(rows).toHaveLength(10_000);
  });

  test('what a sign-in or a payment leaves on its way goes too, and what is under way stays', async () => {
    const user = await account('ada@example.org', 1);
    const { pool } = database;
    for (const days of [0.5, 2]) {
      const at = daysAgo(days);
      await pool.query(
        `insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, expires_at)
         values ($1, $2, 'h', 'r', $3)`,
        [user, `type ${days}`, at],
      );
      await pool.query(
        `insert into auth.flow_state (provider_type, authentication_method, created_at) values ('p', 'm', $1)`,
        [at],
      );
      await pool.query(
        `insert into auth.mfa_factors (user_id, friendly_name, factor_type, status, created_at)
         values ($1, $2, 'totp', 'unverified', $4), ($1, $3, 'totp', 'verified', $4)`,
        [user, `begun ${days}`, `verified ${days}`, at],
      );
      await pool.query(
        `insert into auth.mfa_challenges (factor_id, ip_address, created_at)
         select id, '::1', $1 from auth.mfa_factors where status = 'verified' limit 1`,
        [at],
      );
      await pool.query(
        `insert into cellfolio.payment_events (event_id, type, outcome, received_at) values ($1, 't', 'o', $2)`,
        [`event ${days}`, daysAgo(90 * days)],
      );
      await pool.query(
        `insert into cellfolio.test_payment_links (token_hash, owner_id, purpose, expires_at)
         values ($1, $2, 'portal', $3)`,
        [`link ${days}`, user, daysAgo(days - 1)],
      );
      await pool.query(
        `insert into cellfolio.active_datasets (user_id, session_id, dataset_id, updated_at) values ($1, $2, 'd', $3)`,
        [user, `tab${days}`, daysAgo(20 * days)],
      );
      await pool.query(
        `insert into cellfolio.tool_calls (user_id, tool, credential, status, milliseconds, at)
         values ($1, 'find_genes', 'session', 200, 1, $2)`,
        [user, daysAgo(60 * days)],
      );
      await pool.query(
        `insert into cellfolio.user_documents (owner_id, kind, name, used_at) values ($1, 'link', $2, $3)`,
        [user, `${days}`, daysAgo(250 * days)],
      );
    }
    expect([...(await pruneRows(database, now))]).toEqual([
      ['payment events', 1],
      ['links to test payments', 1],
      ['calls of tools', 1],
      ['open datasets of tabs', 1],
      ['short links', 1],
      ['mailed codes', 1],
      ['sign-ins that were begun', 1],
      ['second steps that were begun', 1],
      ['challenges of second steps', 1],
    ]);
    expect(await pruneRows(database, now)).toEqual(new Map());
  });
});
