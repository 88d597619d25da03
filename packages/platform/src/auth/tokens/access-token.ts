import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Database } from '../../database/database.ts';
import { AuthError } from '../auth-error.ts';
import { SigningKeys } from './signing-keys.ts';

const amrEntry = z.object({ method: z.string(), timestamp: z.number() });
// name-dictionary: what a user says of an account, without __proto__
const bag = z.record(z.string(), z.unknown());

/** Claims of a user's access token. Times are in seconds since 1970. */
const accessTokenClaims = z.looseObject({
  iss: z.string(),
  sub: z.uuid(),
  aud: z.literal('authenticated'),
  exp: z.number(),
  iat: z.number(),
  email: z.string(),
  phone: z.string(),
  app_metadata: bag,
  user_metadata: bag,
  role: z.literal('authenticated'),
  aal: z.enum(['aal1', 'aal2']),
  /** Sign-in methods of the session, newest first. */
  amr: z.array(amrEntry),
  session_id: z.uuid(),
  is_anonymous: z.boolean(),
});
export type AccessTokenClaims = z.infer<typeof accessTokenClaims>;
export type AmrEntry = z.infer<typeof amrEntry>;

const apiKeyClaims = z.looseObject({ role: z.enum(['anon', 'service_role']) });

export interface TokenVerifier {
  /**
   * Claims of a genuine, unexpired access token of this issuer, without a database query. Clocks may differ by
   * `toleratedSeconds`, default 0. Throws AuthError 403 `bad_jwt` for any other text.
   */
  verify(token: string, options?: { toleratedSeconds?: number | undefined }): Promise<AccessTokenClaims>;
  /** Role of an API key that is a token signed by us; throws AuthError 403 `bad_jwt`. */
  verifyApiKey(token: string): Promise<'anon' | 'service_role'>;
  /**
   * Whether the session of verified claims still exists: one query, for callers that must notice a sign-out before the
   * token expires.
   */
  sessionAlive(claims: AccessTokenClaims): Promise<boolean>;
}

interface TokenVerifierOptions {
  /** `iss` of our tokens: `<public url>/auth/v1`. */
  issuer: string;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Shared key cache; default a new one. */
  keys?: SigningKeys;
}

/** Verifies access tokens with the signing keys in the database, cached in memory. */
export function createTokenVerifier(database: Database, options: TokenVerifierOptions): TokenVerifier {
  const now = options.now ?? Date.now;
  const keys = options.keys ?? new SigningKeys(database, now);

  const verified = async <T>(
    token: string,
    schema: z.ZodType<T>,
    { audience, toleratedSeconds }: { audience?: string; toleratedSeconds?: number | undefined } = {},
  ): Promise<T> => {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = kid === undefined ? undefined : await keys.verifyingKey(kid);
          if (!key) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          algorithms: ['ES256'],
          issuer: options.issuer,
          currentDate: new Date(now()),
          requiredClaims: ['exp'],
          ...(audience !== undefined && { audience }),
          clockTolerance: toleratedSeconds ?? 0,
        },
      );
      return schema.parse(payload);
    } catch (cause) {
      if (cause instanceof errors.JOSEError || cause instanceof z.ZodError || cause instanceof TypeError) {
        throw new AuthError(403, 'bad_jwt', reasonOf(cause), { cause });
      }
      throw cause;
    }
  };

  return {
    verify: (token, options) => verified(token, accessTokenClaims, { audience: 'authenticated', ...options }),
    verifyApiKey: async (token) => (await verified(token, apiKeyClaims)).role,
    sessionAlive: async ({ session_id, sub }) => {
      const { rows } = await database.pool.query(
        `select 1 from auth.sessions where id = $1 and user_id = $2 and (not_after is null or not_after > $3)`,
        [session_id, sub, new Date(now())],
      );
      return rows.length > 0;
    },
  };
}

/** Clients match these words. */
const unverified = 'invalid JWT: unable to parse or verify signature,';

function reasonOf(cause: unknown): string {
  if (cause instanceof errors.JWTExpired) return `${unverified} the access token has expired.`;
  if (cause instanceof errors.JWTClaimValidationFailed) {
    return `${unverified} the ${cause.claim} of the access token is not that of this server.`;
  }
  return `${unverified} the access token was not issued by this server.`;
}

interface TokenSubject {
  userId: string;
  email: string;
  phone: string;
  appMetadata: Readonly<Record<string, unknown>>;
  userMetadata: Readonly<Record<string, unknown>>;
  isAnonymous: boolean;
  sessionId: string;
  aal: 'aal1' | 'aal2';
  amr: readonly AmrEntry[];
}

/** Signs an access token; `expiresAt` is in seconds since 1970. */
export async function issueAccessToken(
  keys: SigningKeys,
  subject: TokenSubject,
  { issuer, lifetimeSeconds, now }: { issuer: string; lifetimeSeconds: number; now: () => number },
): Promise<{ token: string; expiresAt: number }> {
  const { kid, key } = await keys.current();
  const issuedAt = Math.floor(now() / 1000);
  const expiresAt = issuedAt + lifetimeSeconds;
  const claims: AccessTokenClaims = {
    iss: issuer,
    sub: subject.userId,
    aud: 'authenticated',
    exp: expiresAt,
    iat: issuedAt,
    email: subject.email,
    phone: subject.phone,
    app_metadata: { ...subject.appMetadata },
    user_metadata: { ...subject.userMetadata },
    role: 'authenticated',
    aal: subject.aal,
    amr: [...subject.amr],
    session_id: subject.sessionId,
    is_anonymous: subject.isAnonymous,
  };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid }).sign(key);
  return { token, expiresAt };
}

/** Whether a text has the form of a signed token; does not verify it. */
export function looksLikeToken(text: string): boolean {
  try {
    return decodeProtectedHeader(text).alg !== undefined;
  } catch {
    return false;
  }
}
