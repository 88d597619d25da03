import { createHash } from 'node:crypto';
import { DatabaseError } from 'pg';
import type { Database } from '../database/database.ts';
import { ApiKeyError } from './api-key-error.ts';

/**
 * Personal API keys: whoever shows one calls as its user. The account page manages them with the official client,
 * which works the same against a hosted project, because the work is done by functions of the database:
 *
 * - `supabase.rpc('create_api_key', { key_name })` gives one row `{ id, name, prefix, created_at, key }`; `key` is
 *   never shown again. Refused with code PT400 (400: the name), PT401 (401: the session has ended), PT403 (403: the
 *   account has a second factor that the session has not passed) or PT409 (409: 20 keys are there).
 * - `supabase.rpc('list_api_keys')` gives rows `{ id, name, prefix, created_at, last_used_at }`, newest first.
 * - `supabase.rpc('revoke_api_key', { key_id })` gives whether there was such a key.
 *
 * The functions below are for the server: they act for any user, by their id.
 */

/** A key in a list; what it is made of is not kept. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  /** The first ten characters, to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: Date;
  /** To the minute; null where it has not been used. */
  readonly lastUsedAt: Date | null;
}

/** A key at the one moment that it can be read. */
export interface CreatedApiKey extends Omit<ApiKey, 'lastUsedAt'> {
  /** `cfp_` and 256 random bits in base64url: 47 characters. */
  readonly key: string;
}

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly created_at: Date | string;
}

/** SQLSTATEs of the database's own refusals, and of a user that is not there. */
const refusals = new Map<string | undefined, ApiKeyError['code']>([
  ['PT400', 'invalid_name'],
  ['PT409', 'too_many'],
  ['23503', 'no_such_user'],
]);

/** Makes a key of the user. Throws ApiKeyError `invalid_name`, `too_many` or `no_such_user`. */
export async function createApiKey(database: Database, userId: string, name: string): Promise<CreatedApiKey> {
  try {
    const { rows } = await database.pool.query<KeyRow & { readonly key: string }>(
      'select * from cellfolio.create_api_key($1, $2)',
      [userId, name],
    );
    const { id, name: kept, prefix, created_at: createdAt, key } = rows[0]!;
    return { id, name: kept, prefix, createdAt: new Date(createdAt), key };
  } catch (cause) {
    const code = cause instanceof DatabaseError ? refusals.get(cause.code) : undefined;
    throw code === undefined ? cause : new ApiKeyError(code, { cause });
  }
}

/** The user's keys, newest first. */
export async function listApiKeys(database: Database, userId: string): Promise<ApiKey[]> {
  const { rows } = await database.pool.query<KeyRow & { readonly last_used_at: Date | string | null }>(
    'select * from cellfolio.list_api_keys($1)',
    [userId],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: new Date(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
  }));
}

/** Ends a key at once; false where the user has no such key. */
export async function revokeApiKey(database: Database, userId: string, keyId: string): Promise<boolean> {
  const { rows } = await database.pool.query<{ gone: boolean }>(
    'select cellfolio.revoke_api_key($1, $2) as gone',
    [userId, keyId],
  );
  return rows[0]?.gone ?? false;
}

/** Texts of any other form are no keys, and cost no query. */
const keyForm = /^cfp_[\w-]{43}$/;

/** Whether a text has the form of a personal key; says nothing about its truth. */
export function looksLikeApiKey(text: string): boolean {
  return keyForm.test(text);
}

/**
 * The user that a key stands for; undefined where it is no key, was revoked, or its user is gone or banned. One
 * query, nothing remembered, so that a revoked key ends at once. It is looked up by its SHA-256: how long that takes
 * tells nothing about a key, of which nobody can choose the digest.
 */
export async function callerOfApiKey(database: Database, key: string): Promise<string | undefined> {
  if (!looksLikeApiKey(key)) return undefined;
  const hash = createHash('sha256').update(key).digest('hex');
  const { rows } = await database.pool.query<{ user_id: string }>(
    `with found as (
       select k.id, k.user_id from cellfolio.api_keys k join auth.users u on u.id = k.user_id
       where k.key_hash = $1 and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
     ), used as (
       -- Once a minute, so that a busy script does not write a row for each of its calls.
       update cellfolio.api_keys k set last_used_at = now() from found
       where k.id = found.id and (k.last_used_at is null or k.last_used_at < now() - interval '1 minute')
     )
     select user_id from found`,
    [hash],
  );
  return rows[0]?.user_id;
}
