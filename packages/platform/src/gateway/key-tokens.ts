import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify, errors } from 'jose';

/** A request rejected before it reaches a service: its API key is missing, unknown or not allowed here. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly status: number;
  readonly hint: string;

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

export type KeyRole = 'anon' | 'service_role';

/** Allowed signing algorithms per key type: each has its own, so that a public key is never used as a secret. */
const algorithmsOf: Readonly<Record<string, readonly string[]>> = {
  oct: ['HS256'],
  RSA: ['RS256'],
  EC: ['ES256'],
};

/**
 * Reads API keys in the older form of a signed token (claims `role` and `exp`), signed with keys given by the operator;
 * `kid` selects the key if present, else each fitting one is tried. Undefined for anything else. Throws TypeError for
 * an unusable key.
 */
export async function keyTokenReader(
  jwks: readonly JWK[],
  now: () => number,
): Promise<(token: string) => Promise<KeyRole | undefined>> {
  const keys = await Promise.all(
    jwks.map(async (jwk) => {
      const algorithms = algorithmsOf[jwk.kty ?? ''];
      if (!algorithms) throw new TypeError(`A signing key of API keys is of the unknown type ${jwk.kty}.`);
      return { kid: jwk.kid, algorithms, key: await importJWK(jwk, algorithms[0]) };
    }),
  );
  return async (token) => {
    const { kid, alg } = decodeProtectedHeader(token);
    const fitting = keys.filter(
      (one) =>
        one.algorithms.includes(alg ?? '') && (kid === undefined || one.kid === undefined || kid === one.kid),
    );
    for (const { key, algorithms } of fitting) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [...algorithms],
          requiredClaims: ['exp'],
          currentDate: new Date(now()),
        });
        if (isKeyRole(payload.role)) return payload.role;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
      }
    }
    return undefined;
  };
}

/** Whether a token claims to be an API key; not verified. */
export function claimsToBeKey(token: string): boolean {
  try {
    return isKeyRole(decodeJwt(token).role);
  } catch {
    return false;
  }
}

function isKeyRole(role: unknown): role is KeyRole {
  return role === 'anon' || role === 'service_role';
}
