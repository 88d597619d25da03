import { createHash } from 'node:crypto';
import { isSameKey } from '../../credentials.ts';
import { AuthError } from '../auth-error.ts';

/** What a client that begins a sign-in keeps the secret of (RFC 7636). */
export interface CodeChallenge {
  readonly method: 's256' | 'plain';
  readonly challenge: string;
}

/** The challenge of a request; undefined where it has none. Throws AuthError 400 `validation_failed`. */
export function codeChallengeOf(given: {
  readonly code_challenge?: string | null | undefined;
  readonly code_challenge_method?: string | null | undefined;
}): CodeChallenge | undefined {
  const challenge = given.code_challenge || undefined;
  const method = given.code_challenge_method?.toLowerCase() || undefined;
  if (challenge === undefined && method === undefined) return undefined;
  if (challenge === undefined || method === undefined) {
    throw new AuthError(
      400,
      'validation_failed',
      'PKCE flow requires code_challenge_method and code_challenge',
    );
  }
  if (method !== 's256' && method !== 'plain') {
    throw new AuthError(400, 'validation_failed', 'The code challenge method must be s256 or plain.');
  }
  if (!/^[\w.~-]{43,128}$/.test(challenge)) {
    throw new AuthError(
      400,
      'validation_failed',
      'A code challenge has 43 to 128 letters, digits, dots, hyphens, underscores or tildes.',
    );
  }
  return { method, challenge };
}

/** Whether this verifier is the secret of the challenge. */
export function verifierFits({ method, challenge }: CodeChallenge, verifier: string): boolean {
  const made = method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  return isSameKey(made, challenge);
}
