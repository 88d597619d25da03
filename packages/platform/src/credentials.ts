import { createHash, timingSafeEqual } from 'node:crypto';

/** Token of an Authorization header; undefined if it has none. The scheme is case-insensitive (RFC 9110). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** Compares keys or codes in constant time, through digests of equal length. */
export function isSameKey(given: string, known: string): boolean {
  return timingSafeEqual(digest(given), digest(known));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
