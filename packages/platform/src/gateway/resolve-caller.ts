import { createHash, timingSafeEqual } from 'node:crypto';
import { AuthError } from '../auth/auth-error.ts';
import { type AccessTokenClaims, looksLikeToken, type TokenVerifier } from '../auth/tokens/access-token.ts';
import { GatewayError } from './gateway-error.ts';

export interface Credentials {
  readonly apikey: string | undefined;
  /** The whole Authorization header. */
  readonly authorization?: string | undefined;
  readonly userAgent?: string | undefined;
  /** By how much the clock of the caller may differ; 0 where it is not given. */
  readonly toleratedSeconds?: number | undefined;
}

/** Who calls; has the shape of the database's `Caller`, so that row security can be asked in their name. */
export type ResolvedCaller =
  | { readonly role: 'anon' | 'service_role' }
  | { readonly role: 'authenticated'; readonly userId: string; readonly claims: AccessTokenClaims };

export interface CallerResolver {
  /** The role of the API key alone. Throws GatewayError 401. */
  roleOfKey(credentials: Credentials): Promise<'anon' | 'service_role'>;
  /**
   * The caller: a token's user, or the key's role where there is no bearer or the bearer is the key. Any other
   * bearer is refused, never taken for a visitor. Throws GatewayError 401 or AuthError 403 `bad_jwt`.
   */
  resolveCaller(credentials: Credentials): Promise<ResolvedCaller>;
}

export interface CallerResolverOptions {
  readonly verifier: TokenVerifier;
  readonly publishableKey: string;
  readonly secretKey: string;
}

/** Decides by key and bearer who calls; asks no database as long as the signing keys are cached. */
export function createCallerResolver(options: CallerResolverOptions): CallerResolver {
  const { verifier } = options;
  const publishable = digest(options.publishableKey);
  const secret = digest(options.secretKey);

  const keyRole = async (apikey: string): Promise<'anon' | 'service_role'> => {
    const given = digest(apikey);
    if (timingSafeEqual(given, publishable)) return 'anon';
    if (timingSafeEqual(given, secret)) return 'service_role';
    if (looksLikeToken(apikey)) {
      const role = await verifier.verifyApiKey(apikey).catch((cause: unknown) => {
        if (cause instanceof AuthError) return undefined;
        throw cause;
      });
      if (role) return role;
    }
    throw new GatewayError(
      401,
      'Invalid API key',
      'Check the publishable key that the client was made with.',
    );
  };

  const roleOfKey = async ({ apikey, userAgent }: Credentials): Promise<'anon' | 'service_role'> => {
    if (!apikey) {
      throw new GatewayError(
        401,
        'No API key found in request',
        'Send the publishable key in the apikey header.',
      );
    }
    const role = await keyRole(apikey);
    // Every browser calls itself Mozilla; a secret key that reaches one has leaked.
    if (role === 'service_role' && /mozilla\//i.test(userAgent ?? '')) {
      throw new GatewayError(
        401,
        'Secret API key used in a browser',
        'Use the publishable key and replace the secret one.',
      );
    }
    return role;
  };

  return {
    roleOfKey,
    resolveCaller: async (credentials) => {
      const role = await roleOfKey(credentials);
      if (!credentials.authorization) return { role };
      const bearer = /^bearer\s+(\S+)$/i.exec(credentials.authorization)?.[1];
      if (bearer !== undefined && bearer === credentials.apikey) return { role };
      const claims = await verifier.verify(bearer ?? '', { toleratedSeconds: credentials.toleratedSeconds });
      return { role: 'authenticated', userId: claims.sub, claims };
    },
  };
}

/** Digests have one length, so comparing them tells nothing about the key, not even how long it is. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
