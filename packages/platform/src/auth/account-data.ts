import { z } from 'zod';
import { AuthError } from './auth-error.ts';

/**
 * Data of an account goes into every access token, and servers refuse headers beyond 16 kB: with more than this, the
 * account could not call anything any more.
 */
const maxBytes = 8_000;
/** Deeper values overflow the stack of whoever walks them, here and in the database. */
const maxDepth = 20;

const message = `Account data can be ${maxBytes} bytes long and ${maxDepth} levels deep at most.`;

/** User or app data of a request body. */
// name-dictionary: what a user says of an account, without __proto__
export const accountData = z.record(z.string(), z.unknown()).refine(fits, message);

/** Throws AuthError 400 `validation_failed` where merging has made the data too large. */
export function checkAccountData(data: Readonly<Record<string, unknown>> | null): void {
  if (!fits(data ?? {})) throw new AuthError(400, 'validation_failed', message);
}

function fits(data: unknown): boolean {
  return !deeperThan(data, maxDepth) && Buffer.byteLength(JSON.stringify(data)) <= maxBytes;
}

/** Level by level, not by recursion, which is what deep values break. */
function deeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < levels; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return level.some((one) => typeof one === 'object' && one !== null);
}
