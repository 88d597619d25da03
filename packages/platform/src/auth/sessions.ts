import type { PoolClient } from 'pg';
import { errors } from 'jose';
import { AuthError } from './auth-error.ts';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import { type AmrEntry, issueAccessToken, type AccessTokenClaims } from './tokens/access-token.ts';
import { type UserAnswer, userAnswer } from './user-answer.ts';
import { findUser, type UserRecord, isBanned } from './user-record.ts';
import { bearerToken } from '../credentials.ts';
import type { Database } from '../database/database.ts';
import { secondStepMessage } from '../database/errors.ts';

/** A signed-in session as sent to clients. Lifetimes are in seconds, `expires_at` in seconds since 1970. */
export interface SessionAnswer {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  expires_at: number;
  refresh_token: string;
  user: UserAnswer;
}

export interface SessionState {
  id: string;
  aal: 'aal1' | 'aal2' | null;
  amr: readonly AmrEntry[];
  counter: number;
}

/**
 * Maximum sessions per account: a new one ends those refreshed longest ago. The application decides how long an unused
 * session is kept.
 */
export const maxSessions = 50;

/** Starts a session of the user, in the caller's transaction, and records the sign-in. */
export async function beginSession(
  client: PoolClient,
  context: AuthContext,
  userId: string,
  origin: ClientOrigin & { method: string },
): Promise<{ user: UserRecord; session: SessionState }> {
  const now = new Date(context.now());
  const session: SessionState = {
    id: crypto.randomUUID(),
    aal: 'aal1',
    amr: [{ method: origin.method, timestamp: Math.floor(now.getTime() / 1000) }],
    counter: 0,
  };
  await client.query(
    `insert into auth.sessions (id, user_id, aal, amr, refresh_counter, refreshed_at, user_agent, ip, created_at, updated_at)
     values ($1, $2, $3, $4, 0, $5, $6, $7, $5, $5)`,
    [
      session.id,
      userId,
      session.aal,
      JSON.stringify(session.amr),
      now,
      origin.userAgent ?? null,
      origin.address,
    ],
  );
  await client.query(`update auth.users set last_sign_in_at = $2, updated_at = $2 where id = $1`, [
    userId,
    now,
  ]);
  // The account row is locked: of two concurrent sign-ins the second sees the first one's session.
  await client.query(
    `delete from auth.sessions where id in (
       select id from auth.sessions where user_id = $1 and id <> $2
       order by coalesce(refreshed_at, created_at) desc, id offset $3)`,
    [userId, session.id, maxSessions - 1],
  );
  // A provider identity records its own sign-ins.
  if (origin.method !== 'oauth') {
    await client.query(
      `update auth.identities set last_sign_in_at = $2, updated_at = $2 where user_id = $1 and provider = 'email'`,
      [userId, now],
    );
  }
  const user = await findUser(client, userId);
  if (!user) throw new AuthError(403, 'user_not_found', 'The account of this session no longer exists.');
  return { user, session };
}

/** Issues the tokens of a session; no database work, so call it after the transaction. */
export async function sessionAnswer(
  context: AuthContext,
  user: UserRecord,
  session: SessionState,
): Promise<SessionAnswer> {
  const lifetimeSeconds = context.settings.accessTokenSeconds;
  const { token, expiresAt } = await issueAccessToken(
    context.signingKeys,
    {
      userId: user.id,
      email: user.email ?? '',
      phone: user.phone ?? '',
      appMetadata: user.raw_app_meta_data ?? {},
      userMetadata: user.raw_user_meta_data ?? {},
      isAnonymous: user.is_anonymous,
      sessionId: session.id,
      aal: session.aal ?? 'aal1',
      amr: session.amr,
    },
    { issuer: context.issuer, lifetimeSeconds, now: context.now },
  );
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: lifetimeSeconds,
    expires_at: expiresAt,
    refresh_token: context.refreshTokens.write({ sessionId: session.id, counter: session.counter }),
    user: userAnswer(user),
  };
}

export interface SignedIn {
  user: UserRecord;
  claims: AccessTokenClaims;
}

/**
 * User and session of a bearer token, both verified to exist. Throws AuthError: 401 `no_authorization`, 400
 * `validation_failed` for another audience, 403 `bad_jwt`, `user_not_found`, `session_not_found` or `user_banned`.
 */
export async function authenticate(
  context: Pick<AuthContext, 'database' | 'verifier' | 'now'>,
  authorization: string | undefined,
): Promise<SignedIn> {
  const token = bearerToken(authorization);
  if (token === undefined) {
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  }
  const claims = await context.verifier.verify(token).catch((cause: unknown) => {
    throw isOtherAudience(cause)
      ? new AuthError(400, 'validation_failed', 'Token audience does not match', { cause })
      : cause;
  });
  const user = await findUser(context.database.pool, claims.sub);
  if (!user) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  if (!(await context.verifier.sessionAlive(claims))) {
    throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  }
  if (isBanned(user, context.now())) throw new AuthError(403, 'user_banned', 'This account is suspended.');
  return { user, claims };
}

function isOtherAudience(error: unknown): boolean {
  if (!(error instanceof AuthError) || !(error.cause instanceof errors.JWTClaimValidationFailed))
    return false;
  return error.cause.claim === 'aud';
}

/** Whether the account has a second factor that the session has not passed. */
export function lacksSecondStep({ user, claims }: SignedIn): boolean {
  return claims.aal !== 'aal2' && user.factors.some(({ status }) => status === 'verified');
}

/** Throws AuthError `insufficient_aal` for a session that `lacksSecondStep`. */
export function requireSecondStep(
  signedIn: SignedIn,
  status: 401 | 403 = 403,
  message = secondStepMessage,
): void {
  if (lacksSecondStep(signedIn)) throw new AuthError(status, 'insufficient_aal', message);
}

/** Whether the account has a second factor that the token's session has not passed. */
export async function secondStepPending(
  database: Database,
  { sub, aal }: { readonly sub: string; readonly aal?: string | undefined },
): Promise<boolean> {
  if (aal === 'aal2') return false;
  const { rowCount } = await database.pool.query(
    `select 1 from auth.mfa_factors where user_id = $1 and status = 'verified' limit 1`,
    [sub],
  );
  return (rowCount ?? 0) > 0;
}
