import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';

export interface ProjectKeys {
  /** For web apps; identifies a visitor. Not secret. */
  readonly publishableKey: string;
  /** For operators' own servers; bypasses row-level security. */
  readonly secretKey: string;
  /** `X-API-Key` of the web app's calls to `/api`. Not secret. */
  readonly apiKey: string;
}

const randomKey = (prefix: string) => () => `${prefix}${randomBytes(24).toString('base64url')}`;
const makers = {
  publishable_key: randomKey('sb_publishable_'),
  secret_key: randomKey('sb_secret_'),
  api_key: randomKey('cf_api_'),
};

/** Keys of this installation, created at the first call and stored in the database. */
export async function provisionKeys(database: Database): Promise<ProjectKeys> {
  const provisionKey = (name: keyof typeof makers) => keptSecret(database, name, makers[name]);
  return {
    publishableKey: await provisionKey('publishable_key'),
    secretKey: await provisionKey('secret_key'),
    apiKey: await provisionKey('api_key'),
  };
}

/** Replaces the publishable or the secret key; running servers accept the old one until they restart. */
export async function replaceKey(database: Database, which: 'publishable' | 'secret'): Promise<ProjectKeys> {
  const name = `${which}_key` as const;
  await database.pool.query(
    `insert into auth.service_secrets (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [name, makers[name]()],
  );
  return provisionKeys(database);
}

/**
 * Replaces every secret of the installation, after a leak of a backup or the database: the secret key, the keys that
 * sign access tokens (the old ones become invalid at once), and those of refresh tokens, signed addresses and mailed
 * codes. Ends every session and voids mailed links. Servers must be restarted. Passwords and personal keys, which are
 * stored as hashes, stay, as do the secrets of authenticator apps.
 */
export async function replaceSecrets(database: Database): Promise<ProjectKeys> {
  const secrets = ['secret_key', 'refresh_token_key', 'storage_url_key', 'one_time_code_key'];
  await database.transaction(async (client) => {
    await client.query('delete from auth.service_secrets where name = any($1)', [secrets]);
    await client.query('delete from auth.signing_keys');
    await client.query('delete from auth.sessions');
    await client.query('delete from auth.one_time_tokens');
  });
  return provisionKeys(database);
}

/** Key of the MAC in refresh tokens: 32 bytes. Replacing it ends every session. */
export async function refreshTokenKey(database: Database): Promise<Buffer> {
  const text = await keptSecret(database, 'refresh_token_key', () => randomBytes(32).toString('base64'));
  return Buffer.from(text, 'base64');
}

/** Key of the tokens in signed addresses of files: 32 bytes. Replacing it ends every such address. */
export async function storageUrlKey(database: Database): Promise<Buffer> {
  const text = await keptSecret(database, 'storage_url_key', () => randomBytes(32).toString('base64'));
  return Buffer.from(text, 'base64');
}

/** Key of the digests of mailed codes: 32 bytes. Replacing it voids pending codes. */
export async function oneTimeCodeKey(database: Database): Promise<Buffer> {
  const text = await keptSecret(database, 'one_time_code_key', () => randomBytes(32).toString('base64'));
  return Buffer.from(text, 'base64');
}

/** The first insert wins, so that processes that start together agree. */
async function keptSecret(database: Database, name: string, make: () => string): Promise<string> {
  const read = async () => {
    const { rows } = await database.pool.query<{ value: string }>(
      `select value from auth.service_secrets where name = $1`,
      [name],
    );
    return rows[0]?.value;
  };
  const existing = await read();
  if (existing !== undefined) return existing;
  await database.pool.query(
    `insert into auth.service_secrets (name, value) values ($1, $2) on conflict (name) do nothing`,
    [name, make()],
  );
  const stored = await read();
  if (stored === undefined) throw new Error(`The database did not keep ${name}.`);
  return stored;
}
