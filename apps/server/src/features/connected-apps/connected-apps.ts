import { createHash, randomBytes } from 'node:crypto';
import { type AppScope, type ConnectedApp, keyScope } from '@cellfolio/contract';
import type { Database } from '@cellfolio/platform';
import { limits } from '../../runtime/limits/limits.ts';
import type { CheckedRequest } from './authorization-request.ts';

type Client = Parameters<Parameters<Database['transaction']>[0]>[0];

const codeSeconds = 60;
const accessSeconds = 3600;
const refreshDays = 30;
/** A refresh token may be repeated that soon: its answer was lost. */
const repeatSeconds = 10;

/** The answer of the token endpoint (OAuth 2.1, section 3.2.3). */
export interface Tokens {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Why no tokens are issued: `error` of the token endpoint, and a sentence. */
export class TokensRefused extends Error {
  override readonly name = 'TokensRefused';
  readonly error: 'invalid_request' | 'invalid_grant' | 'invalid_target' | 'unsupported_grant_type';

  constructor(error: TokensRefused['error'], message: string) {
    super(message);
    this.error = error;
  }
}

const staleCode = () =>
  new TokensRefused('invalid_grant', 'The code is wrong, used or older than a minute: authorize again.');
const staleToken = () =>
  new TokensRefused('invalid_grant', 'The refresh token is wrong, used or out of date: authorize again.');

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Apps that users let call the tools in their name, with their codes and tokens. */
export class ConnectedApps {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Records the consent of a user; returns the code for the app. The app used longest ago makes room for one too many. */
  async allow(
    userId: string,
    { client, redirectUri, resource, challenge }: CheckedRequest,
    scopes: readonly AppScope[],
  ): Promise<string> {
    const code = newSecret('cfc_');
    await this.#database.transaction(async (db) => {
      await db.query(
        `delete from cellfolio.connected_apps where user_id = $1 and (
           connected_at is null and code_expires_at < now()
           or id in (select id from cellfolio.connected_apps where user_id = $1
             order by coalesce(last_used_at, created_at) desc, id offset $2))`,
        [userId, limits.connectedApps.value - 1],
      );
      await db.query(
        `insert into cellfolio.connected_apps (user_id, client_id, client_name, redirect_uri, resource, scopes,
           code_hash, code_challenge, code_expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => ${codeSeconds}))`,
        [userId, client.id, client.name, redirectUri, resource, scopes, hashOf(code), challenge],
      );
    });
    return code;
  }

  /** Exchanges a code. One that comes back ends the app, since somebody copied it. Throws TokensRefused. */
  async redeem(grant: {
    code: string;
    clientId: string;
    redirectUri: string;
    verifier: string;
  }): Promise<Tokens> {
    const challenge = createHash('sha256').update(grant.verifier).digest('base64url');
    const codeHash = hashOf(grant.code);
    const tokens = await this.#database.transaction(async (db) => {
      const { rows } = await db.query<{ id: string; scopes: string[] }>(
        `update cellfolio.connected_apps set connected_at = now(), last_used_at = now()
         where code_hash = $1 and client_id = $2 and redirect_uri = $3 and code_challenge = $4
           and connected_at is null and code_expires_at > now()
         returning id, scopes`,
        [codeHash, grant.clientId, grant.redirectUri, challenge],
      );
      if (rows[0]) return issueTokens(db, rows[0]);
      await db.query(
        'delete from cellfolio.connected_apps where code_hash = $1 and connected_at is not null',
        [codeHash],
      );
      return undefined;
    });
    if (!tokens) throw staleCode();
    return tokens;
  }

  /**
   * Exchanges a refresh token for new tokens and ends the access tokens before. One that was exchanged ends the app: either
   * its owner or a thief has the newer one. Throws TokensRefused.
   */
  async refresh({ token, clientId }: { token: string; clientId: string }): Promise<Tokens> {
    const hash = hashOf(token);
    const tokens = await this.#database.transaction(async (db) => {
      const { rows } = await db.query<{ id: string; scopes: string[]; copied: boolean }>(
        `select a.id, a.scopes, coalesce(t.used_at < now() - make_interval(secs => ${repeatSeconds}), false) as copied
         from cellfolio.connected_apps a join cellfolio.app_tokens t on t.app_id = a.id
         where t.token_hash = $1 and t.kind = 'refresh' and t.expires_at > now() and a.client_id = $2
         for update`,
        [hash, clientId],
      );
      const app = rows[0];
      if (!app) return undefined;
      if (app.copied) {
        await db.query('delete from cellfolio.connected_apps where id = $1', [app.id]);
        return undefined;
      }
      await db.query(
        'update cellfolio.app_tokens set used_at = coalesce(used_at, now()) where token_hash = $1',
        [hash],
      );
      await db.query(
        `delete from cellfolio.app_tokens where app_id = $1 and (kind = 'access' or expires_at < now())`,
        [app.id],
      );
      return issueTokens(db, app);
    });
    if (!tokens) throw staleToken();
    return tokens;
  }

  /** Ends the app of a token (RFC 7009); a token that there is not is fine. */
  async revokeToken(token: string, clientId: string): Promise<void> {
    await this.#database.pool.query(
      `delete from cellfolio.connected_apps where client_id = $2
         and id = (select app_id from cellfolio.app_tokens where token_hash = $1)`,
      [hashOf(token), clientId],
    );
  }

  async list(userId: string): Promise<ConnectedApp[]> {
    const { rows } = await this.#database.pool.query<{
      id: string;
      client_id: string;
      client_name: string;
      scopes: string[];
      connected_at: Date;
      last_used_at: Date | null;
    }>(
      `select id, client_id, client_name, scopes, connected_at, last_used_at from cellfolio.connected_apps a
       where user_id = $1 and connected_at is not null and exists (
         select from cellfolio.app_tokens t where t.app_id = a.id and t.expires_at > now())
       order by connected_at desc, id`,
      [userId],
    );
    return rows.map(({ id, client_id, client_name, scopes, connected_at, last_used_at }) => ({
      id,
      client_name,
      client_host: new URL(client_id).host,
      scopes: scopes.map((scope) => keyScope.parse(scope)),
      connected_at: connected_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    }));
  }

  /** Whether the user had such an app. */
  async disconnect(userId: string, id: string): Promise<boolean> {
    const { rowCount } = await this.#database.pool.query(
      'delete from cellfolio.connected_apps where user_id = $1 and id = $2',
      [userId, id],
    );
    return rowCount === 1;
  }
}

async function issueTokens(
  db: Client,
  { id, scopes }: { id: string; scopes: readonly string[] },
): Promise<Tokens> {
  // An access token has the form of a personal key, and is taken wherever tools take one.
  const access = newSecret('cfp_');
  const refresh = newSecret('cfr_');
  await db.query(
    `insert into cellfolio.app_tokens (token_hash, app_id, kind, expires_at) values
       ($1, $3, 'access', now() + make_interval(secs => ${accessSeconds})),
       ($2, $3, 'refresh', now() + make_interval(days => ${refreshDays}))`,
    [hashOf(access), hashOf(refresh), id],
  );
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}
