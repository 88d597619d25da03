import { createHash, timingSafeEqual } from 'node:crypto';

/** The token of an Authorization header; undefined where it has none. The scheme may be in any case (RFC 9110). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
}

/**
 * Whether a key or code that was given is the known one, in a time that tells nothing about it: what is compared are digests,
 * which have one length.
 */
export function isSameKey(given: string, known: string): boolean {
  return timingSafeEqual(digest(given), digest(known));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
