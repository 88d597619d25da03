import type { Pool, PoolClient } from 'pg';

/** A connection or the pool: whatever can run one statement. */
export type Queryable = Pick<Pool | PoolClient, 'query'>;

type Timestamp = Date | string;

interface IdentityRecord {
  readonly id: string;
  readonly provider_id: string;
  readonly user_id: string;
  readonly identity_data: Readonly<Record<string, unknown>>;
  readonly provider: string;
  readonly last_sign_in_at: Timestamp | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

/** A row of auth.users with its identities, oldest first. */
export interface UserRecord {
  readonly id: string;
  readonly aud: string;
  readonly role: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly encrypted_password: string | null;
  readonly email_confirmed_at: Timestamp | null;
  readonly confirmation_sent_at: Timestamp | null;
  readonly last_sign_in_at: Timestamp | null;
  readonly raw_app_meta_data: Readonly<Record<string, unknown>> | null;
  readonly raw_user_meta_data: Readonly<Record<string, unknown>> | null;
  readonly is_anonymous: boolean;
  readonly banned_until: Timestamp | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  readonly identities: readonly IdentityRecord[];
}

const selectUser = `
  select u.id, u.aud, u.role, u.email, u.phone, u.encrypted_password, u.email_confirmed_at,
    u.confirmation_sent_at, u.last_sign_in_at, u.raw_app_meta_data, u.raw_user_meta_data, u.is_anonymous,
    u.banned_until, u.created_at, u.updated_at,
    coalesce((
      select json_agg(json_build_object('id', i.id, 'provider_id', i.provider_id, 'user_id', i.user_id,
        'identity_data', i.identity_data, 'provider', i.provider, 'last_sign_in_at', i.last_sign_in_at,
        'created_at', i.created_at, 'updated_at', i.updated_at) order by i.created_at)
      from auth.identities i where i.user_id = u.id), '[]'::json) as identities
  from auth.users u where u.deleted_at is null`;

export async function findUser(queryable: Queryable, id: string): Promise<UserRecord | undefined> {
  const { rows } = await queryable.query<UserRecord>(`${selectUser} and u.id = $1`, [id]);
  return rows[0];
}

/** `email` as normaliseEmail gives it. */
export async function findUserByEmail(queryable: Queryable, email: string): Promise<UserRecord | undefined> {
  const { rows } = await queryable.query<UserRecord>(`${selectUser} and u.email = $1`, [email]);
  return rows[0];
}

export interface NewUser {
  readonly email: string;
  readonly passwordHash: string;
  readonly confirmed: boolean;
  readonly userMetadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Adds a user with an e-mail identity; undefined when the address is taken. */
export async function insertUser(client: Queryable, user: NewUser): Promise<UserRecord | undefined> {
  const id = crypto.randomUUID();
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
      JSON.stringify({ ...metadata, email_verified: user.confirmed }),
      user.createdAt,
    ],
  );
  if (inserted.rowCount === 0) return undefined;
  await client.query(
    `insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1, $2::text, $3, $4, 'email', $5, $5, $5)`,
    [crypto.randomUUID(), id, id, JSON.stringify(metadata), user.createdAt],
  );
  return findUser(client, id);
}

/** Seals the address of a user as theirs. */
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

export function isBanned(user: UserRecord, now: number): boolean {
  return user.banned_until !== null && new Date(user.banned_until).getTime() > now;
}
