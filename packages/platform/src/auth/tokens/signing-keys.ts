import {
  calculateJwkThumbprint,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { PoolClient } from 'pg';
import type { Database } from '../../database/database.ts';

interface PublishedKey {
  kty: string;
  crv: string;
  x: string;
  y: string;
  kid: string;
  alg: 'ES256';
  use: 'sig';
  key_ops: readonly ['verify'];
}

interface KeyRow {
  kid: string;
  private_jwk: JWK | string;
  status: 'current' | 'retired';
}

interface LoadedKeys {
  loadedAt: number;
  current: { kid: string; key: CryptoKey };
  verifying: ReadonlyMap<string, CryptoKey>;
  published: readonly PublishedKey[];
}

/** Another process may have rotated the key: reload after this time. */
const reloadAfterMs = 60_000;
/** A flood of invented key ids must not become a flood of queries. */
const reloadForUnknownMs = 5_000;
/** A process may sign with a retired key until it reloads; the key stays published that much longer. */
const rotationMarginMs = 2 * reloadAfterMs;

/** The ES256 keys that sign access tokens, stored in the database and cached in memory. */
export class SigningKeys {
  readonly #database: Database;
  readonly #now: () => number;
  #loaded: LoadedKeys | undefined;
  #loading: Promise<LoadedKeys> | undefined;

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** Key that signs new tokens; created at the first call if there is none. */
  async current(): Promise<{ readonly kid: string; readonly key: CryptoKey }> {
    return (await this.#keys(reloadAfterMs)).current;
  }

  /** Public key of that id, current or retired; undefined if no valid token can carry it. */
  async verifyingKey(kid: string): Promise<CryptoKey | undefined> {
    const cached = (await this.#keys(reloadAfterMs)).verifying.get(kid);
    return cached ?? (await this.#keys(reloadForUnknownMs)).verifying.get(kid);
  }

  /** Key set for external verification of our tokens; public parts only. */
  async published(): Promise<readonly PublishedKey[]> {
    return (await this.#keys(reloadAfterMs)).published;
  }

  /**
   * Retires the current key and signs with a new one from now on. The old one stays published for `accessTokenSeconds`,
   * the lifetime of the last token it signed, and a later rotation deletes it.
   */
  async rotate(accessTokenSeconds: number): Promise<string> {
    const newKey = await makeKey();
    const now = this.#now();
    await this.#database.transaction(async (client) => {
      await lockKeys(client);
      await client.query(`delete from auth.signing_keys where status = 'retired' and publish_until < $1`, [
        new Date(now),
      ]);
      await client.query(
        `update auth.signing_keys set status = 'retired', retired_at = $1, publish_until = $2
         where status = 'current'`,
        [new Date(now), new Date(now + accessTokenSeconds * 1000 + rotationMarginMs)],
      );
      await insertKey(client, newKey, now);
    });
    this.#loaded = undefined;
    return newKey.kid;
  }

  async #keys(maxAgeMs: number): Promise<LoadedKeys> {
    const loaded = this.#loaded;
    if (loaded && this.#now() - loaded.loadedAt < maxAgeMs) return loaded;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<LoadedKeys> {
    const loadedAt = this.#now();
    let rows = await this.#select(loadedAt);
    if (!rows.some(({ status }) => status === 'current')) {
      await this.#makeFirst(loadedAt);
      rows = await this.#select(loadedAt);
    }
    const verifying = new Map<string, CryptoKey>();
    const published: PublishedKey[] = [];
    let current: LoadedKeys['current'] | undefined;
    for (const row of rows) {
      const jwk =
        typeof row.private_jwk === 'string' ? (JSON.parse(row.private_jwk) as JWK) : row.private_jwk;
      const shown = publicPart(jwk, row.kid);
      published.push(shown);
      verifying.set(row.kid, await importKey({ ...shown, key_ops: ['verify'] }));
      if (row.status === 'current') current = { kid: row.kid, key: await importKey(jwk) };
    }
    if (!current) throw new Error('The signing key was removed while it was being read.');
    this.#loaded = { loadedAt, current, verifying, published };
    return this.#loaded;
  }

  async #select(now: number): Promise<KeyRow[]> {
    const { rows } = await this.#database.pool.query<KeyRow>(
      `select kid, private_jwk, status from auth.signing_keys
       where status = 'current' or publish_until > $1 order by status, created_at desc`,
      [new Date(now)],
    );
    return rows;
  }

  /** Two processes may start at once on an empty database: the lock lets one of them create the key. */
  async #makeFirst(now: number): Promise<void> {
    const newKey = await makeKey();
    await this.#database.transaction(async (client) => {
      await lockKeys(client);
      const { rows } = await client.query(`select 1 from auth.signing_keys where status = 'current'`);
      if (rows.length === 0) await insertKey(client, newKey, now);
    });
  }
}

async function lockKeys(client: PoolClient): Promise<void> {
  await client.query('lock table auth.signing_keys in share row exclusive mode');
}

async function insertKey(client: PoolClient, { kid, jwk }: MadeKey, now: number): Promise<void> {
  await client.query(
    `insert into auth.signing_keys (kid, private_jwk, status, created_at) values ($1, $2, 'current', $3)`,
    [kid, JSON.stringify(jwk), new Date(now)],
  );
}

interface MadeKey {
  kid: string;
  jwk: JWK;
}

async function makeKey(): Promise<MadeKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(jwk), jwk };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256');
  if (key instanceof Uint8Array) throw new Error('A signing key must be an elliptic-curve key.');
  return key;
}

function publicPart(jwk: JWK, kid: string): PublishedKey {
  const { kty, crv, x, y } = jwk;
  if (!kty || !crv || !x || !y) throw new Error(`Signing key ${kid} is not an elliptic-curve key.`);
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] };
}
