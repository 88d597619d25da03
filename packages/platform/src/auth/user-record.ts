import type { Pool, PoolClient } from 'pg';

export type Queryable = Pick<Pool | PoolClient, 'query'>;

type Timestamp = Date | string;

interface IdentityRecord {
  id: string;
  provider_id: string;
  user_id: string;
  identity_data: Readonly<Record<string, unknown>>;
  provider: string;
  last_sign_in_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface FactorRecord {
  id: string;
  friendly_name: string | null;
  factor_type: 'totp' | 'phone';
  status: 'unverified' | 'verified';
  phone: string | null;
  last_challenged_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A row of auth.users with its identities and factors, oldest first. */
export interface UserRecord {
  id: string;
  aud: string;
  role: string;
  email: string | null;
  phone: string | null;
  encrypted_password: string | null;
  email_confirmed_at: Timestamp | null;
  phone_confirmed_at: Timestamp | null;
  invited_at: Timestamp | null;
  confirmation_sent_at: Timestamp | null;
  recovery_sent_at: Timestamp | null;
  /** Awaits confirmation. */
  email_change: string | null;
  email_change_sent_at: Timestamp | null;
  /** 1 if one of the two mailboxes has confirmed the change. */
  email_change_confirm_status: number;
  phone_change: string | null;
  last_sign_in_at: Timestamp | null;
  raw_app_meta_data: Readonly<Record<string, unknown>> | null;
  raw_user_meta_data: Readonly<Record<string, unknown>> | null;
  is_anonymous: boolean;
  banned_until: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  identities: readonly IdentityRecord[];
  factors: readonly FactorRecord[];
}

const selectUser = `
  select u.id, u.aud, u.role, u.email, u.phone, u.encrypted_password, u.email_confirmed_at,
    u.phone_confirmed_at, u.invited_at, u.confirmation_sent_at, u.recovery_sent_at, u.email_change,
    u.email_change_sent_at, u.email_change_confirm_status, u.phone_change, u.last_sign_in_at, u.raw_app_meta_data, u.raw_user_meta_data, u.is_anonymous,
    u.banned_until, u.created_at, u.updated_at,
    coalesce((
      select json_agg(json_build_object('id', i.id, 'provider_id', i.provider_id, 'user_id', i.user_id,
        'identity_data', i.identity_data, 'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at,
        'created_at', i.created_at, 'updated_at', i.updated_at) order by i.created_at)
      from auth.identities i where i.user_id = u.id), '[]'::json) as identities,
    coalesce((
      select json_agg(json_build_object('id', f.id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type,
        'status', f.status, 'phone', f.phone, 'last_challenged_at', f.last_challenged_at,
        'created_at', f.created_at, 'updated_at', f.updated_at) order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id), '[]'::json) as factors
  from auth.users u where u.deleted_at is null`;

export async function findUser(queryable: Queryable, id: string): Promise<UserRecord | undefined> {
  const { rows } = await queryable.query<UserRecord>(`${selectUser} and u.id = $1`, [id]);
  return rows[0];
}

/** `email` in the form of normaliseEmail. */
export async function findUserByEmail(queryable: Queryable, email: string): Promise<UserRecord | undefined> {
  const { rows } = await queryable.query<UserRecord>(`${selectUser} and u.email = $1`, [email]);
  return rows[0];
}

/** `phone` in the form of normalisePhone. */
export async function findUserByPhone(queryable: Queryable, phone: string): Promise<UserRecord | undefined> {
  const { rows } = await queryable.query<UserRecord>(`${selectUser} and u.phone = $1`, [phone]);
  return rows[0];
}

/**
 * A page of accounts, newest first, and their total number. `filter` matches address, number or full name, ignoring
 * case; empty matches all.
 */
export async function listUserRecords(
  queryable: Queryable,
  { limit, offset, filter }: { limit: number; offset: number; filter: string },
): Promise<{ users: UserRecord[]; total: number }> {
  const pattern = `%${filter.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await queryable.query<UserRecord>(
    `${selectUser} and ${fits('$3')} order by u.created_at desc, u.id limit $1 offset $2`,
    [limit, offset, pattern],
  );
  const counted = await queryable.query<{ total: string }>(
    `select count(*)::text as total from auth.users u where u.deleted_at is null and ${fits('$1')}`,
    [pattern],
  );
  return { users: rows, total: Number(counted.rows[0]?.total ?? 0) };
}

/**
 * The columns are joined into one text because accounts may lack each; without a filter the pattern matches an empty
 * one.
 */
function fits(pattern: string): string {
  return `concat_ws(E'\n', u.email, u.phone, u.raw_user_meta_data ->> 'full_name') ilike ${pattern}`;
}

export interface NewUser {
  id?: string | undefined;
  email: string;
  passwordHash: string | null;
  confirmed: boolean;
  userMetadata: Readonly<Record<string, unknown>>;
  /** Created by an operator: the metadata holds only what the operator gave. */
  byOperator?: boolean;
  createdAt: Date;
}

/**
 * Adds a user with an e-mail identity; undefined if the address is taken. The same statements run for a taken address
 * and change nothing.
 */
export async function insertUser(client: Queryable, user: NewUser): Promise<UserRecord | undefined> {
  const id = user.id ?? crypto.randomUUID();
  const metadata = {
    ...user.userMetadata,
    sub: id,
    email: user.email,
    email_verified: false,
    phone_verified: false,
  };
  const inserted = await client.query(
    `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
       raw_user_meta_data, created_at, updated_at)
     values ($1, 'authenticated', 'authenticated', $2, $3, $4, $5, $6, $7, $7)
     on conflict do nothing`,
    [
      id,
      user.email,
      user.passwordHash,
      user.confirmed ? user.createdAt : null,
      JSON.stringify({ provider: 'email', providers: ['email'] }),
      JSON.stringify(user.byOperator ? user.userMetadata : { ...metadata, email_verified: user.confirmed }),
      user.createdAt,
    ],
  );
  const isNew = inserted.rowCount === 1;
  await client.query(
    `insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     select $1, $2::text, $3, $4, 'email', $5, $5, $5 where $6::boolean`,
    [crypto.randomUUID(), id, id, JSON.stringify(metadata), user.createdAt, isNew],
  );
  const stored = await findUser(client, id);
  return isNew ? stored : undefined;
}

export async function confirmEmail(client: Queryable, userId: string, now: Date): Promise<void> {
  await client.query(
    `update auth.users set email_confirmed_at = $2, updated_at = $2,
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}'::jsonb) || '{"email_verified": true}'::jsonb
     where id = $1 and email_confirmed_at is null`,
    [userId, now],
  );
  await client.query(
    `update auth.identities set updated_at = $2, identity_data = identity_data || '{"email_verified": true}'::jsonb
     where user_id = $1 and provider = 'email'`,
    [userId, now],
  );
}

export async function unconfirmEmail(client: Queryable, userId: string): Promise<void> {
  await client.query(`update auth.users set email_confirmed_at = null where id = $1`, [userId]);
  await client.query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": false}'::jsonb
     where user_id = $1 and provider = 'email'`,
    [userId],
  );
}

/** An account without an address: usable only in its first session until an address is added. */
export async function insertAnonymousUser(
  client: Queryable,
  { userMetadata, createdAt }: Pick<NewUser, 'userMetadata' | 'createdAt'>,
): Promise<UserRecord | undefined> {
  const id = crypto.randomUUID();
  await client.query(
    `insert into auth.users (id, aud, role, raw_app_meta_data, raw_user_meta_data, is_anonymous, created_at, updated_at)
     values ($1, 'authenticated', 'authenticated', '{}', $2, true, $3, $3)`,
    [id, JSON.stringify(userMetadata), createdAt],
  );
  return findUser(client, id);
}

export async function refreshProviders(client: Queryable, userId: string, now: Date): Promise<void> {
  await client.query(
    `update auth.users u set updated_at = $2, raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}'::jsonb)
       || jsonb_build_object(
         'provider', coalesce((select i.provider from auth.identities i where i.user_id = u.id order by i.created_at limit 1), 'email'),
         'providers', coalesce((select jsonb_agg(p.provider order by p.since) from (
           select i.provider, min(i.created_at) as since from auth.identities i where i.user_id = u.id group by i.provider) p), '[]'::jsonb))
     where u.id = $1`,
    [userId, now],
  );
}

export function isBanned(user: UserRecord, now: number): boolean {
  return user.banned_until !== null && new Date(user.banned_until).getTime() > now;
}
