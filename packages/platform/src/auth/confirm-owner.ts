import type { Database } from '../database/database.ts';
import type { PlatformSettings } from '../settings/platform-settings.ts';
import type { AuthContext } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { passwordFits } from './passwords.ts';
import { createRateLimits, type LimiterFactory, sharedLimiters } from './rate-limits.ts';
import { authenticate, requireSecondStep, type SignedIn } from './sessions.ts';
import { createTokenVerifier } from './tokens/access-token.ts';

interface OwnerCheckOptions extends Pick<PlatformSettings, 'rateLimits' | 'passwordCost'> {
  database: Database;
  issuer: string;
  makeLimiter?: LimiterFactory;
  /** Milliseconds since 1970. */
  now?: () => number;
}

interface OwnerProof {
  authorization: string | undefined;
  /** Network address of the caller, for the rate limit on wrong passwords. */
  address: string;
  email: string;
  password: string;
}

/** Returns the id of the account. Throws AuthError. */
export type OwnerCheck = (proof: OwnerProof) => Promise<string>;

/** Maximum age of the sign-in that proves ownership of an account without a password. */
const recentSignInMs = 10 * 60_000;

/**
 * Verifies the owner of an account once more: a session that has passed the second factor if there is one, the address,
 * and the password. Wrong passwords count as in a sign-in.
 */
export function createOwnerCheck(options: OwnerCheckOptions): OwnerCheck {
  const { database, issuer, rateLimits, passwordCost, now = Date.now } = options;
  const { makeLimiter = database.kind === 'embedded' ? undefined : sharedLimiters(database.pool) } = options;
  const limits = createRateLimits(rateLimits, makeLimiter);
  const context: Pick<AuthContext, 'database' | 'verifier' | 'now'> = {
    database,
    verifier: createTokenVerifier(database, { issuer, now }),
    now,
  };
  return async ({ authorization, address, email, password }) => {
    const signedIn = await authenticate(context, authorization);
    requireSecondStep(signedIn);
    const { user } = signedIn;
    if (email.trim().toLowerCase() !== (user.email ?? '')) {
      throw new AuthError(400, 'validation_failed', 'This is not the email address of the account.');
    }
    if (!user.encrypted_password) {
      if (signedInAt(signedIn) > now() - recentSignInMs) return user.id;
      const message =
        'This account has no password: sign out, sign in again, and repeat this within ten minutes.';
      throw new AuthError(403, 'reauthentication_needed', message);
    }
    const attempt = await limits.countPasswordAttempt(user.email ?? user.id, address);
    const turn = { cost: passwordCost, by: [user.id, address] };
    if (!(await passwordFits(password, user.encrypted_password, turn))) {
      throw new AuthError(403, 'current_password_invalid', 'The password is incorrect.');
    }
    await attempt.succeeded();
    return user.id;
  };
}

function signedInAt({ claims }: SignedIn): number {
  return 1000 * Math.max(...claims.amr.map(({ timestamp }) => timestamp));
}
