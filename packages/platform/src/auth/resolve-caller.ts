import { AuthError } from './auth-error.ts';
import { type AccessTokenClaims, looksLikeToken, type TokenVerifier } from './tokens/access-token.ts';
import { bearerToken, isSameKey } from '../credentials.ts';
import { GatewayError, claimsToBeKey, type KeyRole } from '../gateway/key-tokens.ts';

export interface Credentials {
  readonly apikey: string | undefined;
  readonly authorization?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Tolerated clock difference of the caller in seconds; default 0. */
  readonly toleratedSeconds?: number | undefined;
}

/** The caller, in the shape of the database's `Caller`, so that row-level security applies to it. */
export type ResolvedCaller =
  | { readonly role: 'anon' | 'service_role' }
  | { readonly role: 'authenticated'; readonly userId: string; readonly claims: AccessTokenClaims };

export interface CallerResolver {
  /** Role of the API key alone. Throws GatewayError 401. */
  roleOfKey(credentials: Credentials): Promise<KeyRole>;
  /**
   * Identifies the caller: a token's user, or the key's role if there is no bearer or the bearer is the key, or the
   * role of a bearer that is a token-form key. Any other bearer is refused, never treated as anonymous. Throws
   * GatewayError 401 or AuthError 403 `bad_jwt`.
   */
  resolveCaller(credentials: Credentials): Promise<ResolvedCaller>;
}

interface CallerResolverOptions {
  verifier: TokenVerifier;
  publishableKey: string;
  secretKey: string;
  /** Reads token-form keys signed by others; see `keyTokenReader`. */
  readKeyToken?: (token: string) => Promise<KeyRole | undefined>;
}

/** Identifies the caller by key and bearer; needs no database query while the signing keys are cached. */
export function createCallerResolver(options: CallerResolverOptions): CallerResolver {
  const { verifier, publishableKey, secretKey } = options;

  const roleOfToken = async (token: string): Promise<KeyRole | undefined> => {
    const ours = await verifier.verifyApiKey(token).catch((cause: unknown) => {
      if (cause instanceof AuthError) return undefined;
      throw cause;
    });
    return ours ?? options.readKeyToken?.(token);
  };

  const keyRole = async (apikey: string): Promise<KeyRole> => {
    if (isSameKey(apikey, publishableKey)) return 'anon';
    if (isSameKey(apikey, secretKey)) return 'service_role';
    const role = looksLikeToken(apikey) ? await roleOfToken(apikey) : undefined;
    if (role) return role;
    throw new GatewayError(
      401,
      'Invalid API key',
      'Check the publishable key that the client was made with.',
    );
  };

  const roleOfKey = async ({ apikey, userAgent }: Credentials): Promise<KeyRole> => {
    if (!apikey) {
      throw new GatewayError(
        401,
        'No API key found in request',
        'Send the publishable key in the apikey header.',
      );
    }
    const role = await keyRole(apikey);
    return refuseInBrowsers(role, userAgent);
  };

  return {
    roleOfKey,
    resolveCaller: async (credentials) => {
      const role = await roleOfKey(credentials);
      if (!credentials.authorization) return { role };
      const bearer = bearerToken(credentials.authorization);
      if (bearer !== undefined && bearer === credentials.apikey) return { role };
      if (bearer !== undefined && claimsToBeKey(bearer)) {
        const keyRole = await roleOfToken(bearer);
        if (keyRole) return { role: refuseInBrowsers(keyRole, credentials.userAgent) };
      }
      const claims = await verifier.verify(bearer ?? '', { toleratedSeconds: credentials.toleratedSeconds });
      return { role: 'authenticated', userId: claims.sub, claims };
    },
  };
}

/** Every browser's user agent contains Mozilla; a secret key that reaches one has leaked. */
function refuseInBrowsers(role: KeyRole, userAgent: string | undefined): KeyRole {
  if (role === 'service_role' && /mozilla\//i.test(userAgent ?? '')) {
    throw new GatewayError(
      401,
      'Secret API key used in a browser',
      'Use the publishable key and replace the secret one.',
    );
  }
  return role;
}
