import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';

export interface ProjectKeys {
  /** For web apps; stands for a visitor. Not secret. */
  readonly publishableKey: string;
  /** For operators' own servers; passes row security. */
  readonly secretKey: string;
  /** `X-API-Key` of the web app's calls to `/api`. Not secret. */
  readonly apiKey: string;
}

/** The keys of this installation, made at the first call and kept in the database. */
export async function provisionKeys(database: Database): Promise<ProjectKeys> {
  const make = (prefix: string) => () => `${prefix}${randomBytes(24).toString('base64url')}`;
  return {
    publishableKey: await keptSecret(database, 'publishable_key', make('sb_publishable_')),
    secretKey: await keptSecret(database, 'secret_key', make('sb_secret_')),
    apiKey: await keptSecret(database, 'api_key', make('cf_api_')),
  };
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

/** Key of the digests of mailed codes: 32 bytes. Replacing it voids the codes that are under way. */
export async function oneTimeCodeKey(database: Database): Promise<Buffer> {
  const text = await keptSecret(database, 'one_time_code_key', () => randomBytes(32).toString('base64'));
  return Buffer.from(text, 'base64');
}

/** Whoever inserts first decides, so that processes that start together agree. */
async function keptSecret(database: Database, name: string, make: () => string): Promise<string> {
  const read = async () => {
    const { rows } = await database.pool.query<{ value: string }>(
      `select value from auth.service_secrets where name = $1`,
      [name],
    );
    return rows[0]?.value;
  };
  const kept = await read();
  if (kept !== undefined) return kept;
  await database.pool.query(
    `insert into auth.service_secrets (name, value) values ($1, $2) on conflict (name) do nothing`,
    [name, make()],
  );
  const made = await read();
  if (made === undefined) throw new Error(`The database did not keep ${name}.`);
  return made;
}
