import type { PoolClient } from 'pg';
import { AuthError } from '../auth-error.ts';
import type { AuthContext, ClientOrigin } from '../auth-context.ts';
import type { ProviderProfile } from '../oauth/identity-provider.ts';
import { findUser, isBanned } from '../user-record.ts';
import { codeChallengeOf, verifierFits } from './code-challenge.ts';
import { authCodeHash, type FlowMethod } from './flow-state.ts';
import { accountOf } from './provider-account.ts';
import { beginSession, type SessionAnswer, sessionAnswer } from './sessions.ts';

/** A code is exchanged by a page that has just been opened. */
const authCodeMs = 300_000;

interface FlowRow {
  readonly id: string;
  readonly user_id: string;
  readonly code_challenge: string;
  readonly code_challenge_method: string;
  readonly authentication_method: FlowMethod;
  readonly auth_code_issued_at: Date | string;
  readonly provider_type: string;
  readonly linking_user_id: string | null;
  readonly pending_profile: ProviderProfile | null;
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
  const exchange = async (client: PoolClient) => {
    const { rows } = await client.query<FlowRow>(
      `select id, user_id, code_challenge, code_challenge_method, authentication_method, auth_code_issued_at,
         provider_type, linking_user_id, pending_profile, provider_access_token, provider_refresh_token
       from auth.flow_state where auth_code = $1 and user_id is not null for update`,
      [authCodeHash(authCode)],
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
    if (flow.pending_profile && flow.linking_user_id) {
      await accountOf(client, context, {
        provider: flow.provider_type,
        profile: flow.pending_profile,
        linkingUserId: flow.linking_user_id,
      });
    }
    const user = await findUser(client, flow.user_id);
    if (!user) return 'flow_state_not_found';
    if (isBanned(user, now)) return 'user_banned';
    const begun = await beginSession(client, context, user.id, {
      ...origin,
      method: flow.authentication_method,
    });
    return { ...begun, flow };
  };
  const outcome = await context.database.transaction(exchange).catch((cause: unknown) => {
    // SQLSTATE 23505, unique_violation: the provider's account was joined elsewhere at the same moment.
    if (cause instanceof Error && 'code' in cause && cause.code === '23505') {
      throw new AuthError(409, 'conflict', 'Another sign-in was faster. Please try again.', { cause });
    }
    throw cause;
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
