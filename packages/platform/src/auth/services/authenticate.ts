import { errors } from 'jose';
import { bearerToken } from '../../credentials.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { AccessTokenClaims } from '../tokens/access-token.ts';
import { findUser, isBanned, type UserRecord } from '../user-record.ts';

export interface SignedIn {
  readonly user: UserRecord;
  readonly claims: AccessTokenClaims;
}

/**
 * The user and session of a bearer token, both checked to exist still. Throws AuthError: 401
 * `no_authorization`, 400 `validation_failed` for another audience, 403 `bad_jwt`, `user_not_found`,
 * `session_not_found` or `user_banned`.
 */
export async function authenticate(
  context: AuthContext,
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
