import { createHash } from 'node:crypto';
import { AuthError } from '../auth-error.ts';
import type { AuthContext, ClientOrigin } from '../auth-context.ts';
import { findUser, isBanned, type Queryable } from '../user-record.ts';
import { type CodeChallenge, codeChallengeOf, verifierFits } from './code-challenge.ts';
import { beginSession, type SessionAnswer, sessionAnswer } from './sessions.ts';

/** How a sign-in that a client exchanges a code for was made; goes into the session's `amr`. */
export type FlowMethod = 'email/signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change' | 'oauth';

/** A code is exchanged by a page that has just been opened. */
const authCodeMs = 300_000;

export interface NewFlow {
  readonly challenge: CodeChallenge | undefined;
  /** `email`, or the provider that the browser leaves for. */
  readonly provider: string;
  readonly method: FlowMethod;
}

/** Remembers what a client has begun; answers the row's id. */
export async function beginFlow(client: Queryable, context: AuthContext, flow: NewFlow): Promise<string> {
  const now = context.now();
  // Whatever began so long ago has no link, code or page left that could end it.
  const oldest = now - (context.settings.mailLinkSeconds + 3_600) * 1000;
  await client.query(`delete from auth.flow_state where created_at < $1`, [new Date(oldest)]);
  const id = crypto.randomUUID();
  await client.query(
    `insert into auth.flow_state (id, code_challenge, code_challenge_method, provider_type, authentication_method,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [
      id,
      flow.challenge?.challenge ?? null,
      flow.challenge?.method ?? null,
      flow.provider,
      flow.method,
      new Date(now),
    ],
  );
  return id;
}

export interface ProviderTokens {
  readonly accessToken: string | undefined;
  readonly refreshToken: string | undefined;
}

/** The code that the client which began the flow gets a session of this user for; undefined when the flow is gone. */
export async function issueAuthCode(
  client: Queryable,
  context: AuthContext,
  flowId: string,
  userId: string,
  tokens?: ProviderTokens,
): Promise<string | undefined> {
  const code = crypto.randomUUID();
  const { rowCount } = await client.query(
    `update auth.flow_state set user_id = $2, auth_code = $3, auth_code_issued_at = $4, updated_at = $4,
       provider_access_token = $5, provider_refresh_token = $6
     where id = $1 and code_challenge is not null`,
    [
      flowId,
      userId,
      digest(code),
      new Date(context.now()),
      tokens?.accessToken ?? null,
      tokens?.refreshToken ?? null,
    ],
  );
  return rowCount ? code : undefined;
}

interface FlowRow {
  readonly id: string;
  readonly user_id: string;
  readonly code_challenge: string;
  readonly code_challenge_method: string;
  readonly authentication_method: FlowMethod;
  readonly auth_code_issued_at: Date | string;
  readonly provider_access_token: string | null;
  readonly provider_refresh_token: string | null;
}

export type ExchangedSession = SessionAnswer & {
  readonly provider_token?: string;
  readonly provider_refresh_token?: string;
};

/**
 * A session for a code and the secret of the challenge it began with; works once. Throws AuthError 400
 * `validation_failed` or `bad_code_verifier`, 404 `flow_state_not_found`, 422 `flow_state_expired`.
 */
export async function exchangeAuthCode(
  context: AuthContext,
  { authCode, codeVerifier }: { readonly authCode: string; readonly codeVerifier: string },
  origin: ClientOrigin,
): Promise<ExchangedSession> {
  if (!authCode || !codeVerifier) {
    throw new AuthError(
      400,
      'validation_failed',
      'invalid request: both auth code and code verifier should be non-empty',
    );
  }
  const now = context.now();
  const outcome = await context.database.transaction(async (client) => {
    const { rows } = await client.query<FlowRow>(
      `select id, user_id, code_challenge, code_challenge_method, authentication_method, auth_code_issued_at,
         provider_access_token, provider_refresh_token
       from auth.flow_state where auth_code = $1 and user_id is not null for update`,
      [digest(authCode)],
    );
    const flow = rows[0];
    if (!flow) return 'flow_state_not_found';
    if (new Date(flow.auth_code_issued_at).getTime() + authCodeMs <= now) {
      await client.query(`delete from auth.flow_state where id = $1`, [flow.id]);
      return 'flow_state_expired';
    }
    const challenge = codeChallengeOf(flow);
    if (!challenge || !verifierFits(challenge, codeVerifier)) return 'bad_code_verifier';
    await client.query(`delete from auth.flow_state where id = $1`, [flow.id]);
    const user = await findUser(client, flow.user_id);
    if (!user) return 'flow_state_not_found';
    if (isBanned(user, now)) return 'user_banned';
    const begun = await beginSession(client, context, user.id, {
      ...origin,
      method: flow.authentication_method,
    });
    return { ...begun, flow };
  });
  if (typeof outcome === 'string') throw refusals[outcome]();
  const { provider_access_token: token, provider_refresh_token: refreshToken } = outcome.flow;
  return {
    ...(await sessionAnswer(context, outcome.user, outcome.session)),
    ...(token && { provider_token: token }),
    ...(refreshToken && { provider_refresh_token: refreshToken }),
  };
}

const refusals = {
  flow_state_not_found: () =>
    new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  flow_state_expired: () =>
    new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  bad_code_verifier: () =>
    new AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier'),
  user_banned: () => new AuthError(400, 'user_banned', 'This account is suspended.'),
};

function digest(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
