import { createHash, timingSafeEqual } from 'node:crypto';

/** Token of an Authorization header; undefined if it has none. The scheme is case-insensitive (RFC 9110). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** Compares keys or codes in constant time, through digests of equal length. */
export function isSameKey(candidate: string, expected: string): boolean {
  return timingSafeEqual(digest(candidate), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
