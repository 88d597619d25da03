import { createHash } from 'node:crypto';
import { type KeyScope, keyScopes } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import type { KeyHolder } from '../../runtime/http/access.ts';

/**
 * Personal API keys: a request with a key acts as its user. The account page manages them with the official client,
 * which works the same against a hosted project, because the work is done by functions of the database: -
 * `supabase.rpc('create_api_key', { key_name, valid_days, key_scopes })` returns one row `{ id, name, prefix, scopes,
 * created_at, expires_at, key }`; `key` is never shown again. Without `valid_days` it has no end, without `key_scopes` all
 * scopes. Error code PT400 (400: the name, the days, the scopes), PT401 (401: the session has ended), PT403 (403: the
 * account has a second factor that the session has not passed) or PT409 (409: 20 keys exist). -
 * `supabase.rpc('list_api_keys')` returns rows `{ id, name, prefix, scopes, created_at, last_used_at, expires_at }`, newest
 * first. - `supabase.rpc('revoke_api_key', { key_id })` returns whether the key existed.
 */

/** Text of any other form is not a key and costs no query. */
const keyForm = /^cfp_[\w-]{43}$/;

export function isPersonalKey(text: string): boolean {
  return keyForm.test(text);
}

/**
 * The user of an API key, or of the access token of a connected app; undefined when it is neither, was revoked, has ended,
 * or its user is deleted or banned. One query without a cache, so that a revoked key stops working at once. The key is
 * looked up by its SHA-256, so timing reveals nothing about it: a caller cannot choose the digest.
 */
export async function callerOfApiKey(database: Database, key: string): Promise<KeyHolder | undefined> {
  if (!isPersonalKey(key)) return undefined;
  const hash = createHash('sha256').update(key).digest('hex');
  const { rows } = await database.pool.query<{
    user_id: string;
    name: string;
    scopes: string[];
    of_app: boolean;
  }>(
    `with found as (
       select h.* from (
         select id, user_id, name, scopes, false as of_app from cellfolio.api_keys
         where key_hash = $1 and (expires_at is null or expires_at > now())
         union all
         select a.id, a.user_id, a.client_name, a.scopes, true from cellfolio.app_tokens t
         join cellfolio.connected_apps a on a.id = t.app_id
         where t.token_hash = $1 and t.kind = 'access' and t.expires_at > now()
       ) h join auth.users u on u.id = h.user_id
       where u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
     ), used as (
       -- Once a minute, so that a busy script does not write a row for each of its calls.
       update cellfolio.api_keys k set last_used_at = now() from found
       where k.id = found.id and (k.last_used_at is null or k.last_used_at < now() - interval '1 minute')
     ), used_app as (
       update cellfolio.connected_apps a set last_used_at = now() from found
       where a.id = found.id and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute')
     )
     select user_id, name, scopes, of_app from found`,
    [hash],
  );
  const row = rows[0];
  if (!row) return undefined;
  // A later version may have added scopes.
  const holder = { userId: row.user_id, name: row.name, scopes: row.scopes.filter(isKeyScope) };
  return row.of_app ? { ...holder, toolsOnly: true } : holder;
}

function isKeyScope(name: string): name is KeyScope {
  return Object.hasOwn(keyScopes, name);
}
