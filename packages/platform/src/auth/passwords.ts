import { availableParallelism } from 'node:os';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { AuthError, type PasswordWeakness } from './auth-error.ts';
import { HashTurns } from './hash-turns.ts';
import { defaultPasswordCost, type PasswordCost } from '../settings/platform-settings.ts';

/** Hashes from elsewhere (bcrypt) ignore bytes beyond this limit, so longer passwords are refused. */
const maxPasswordBytes = 72;

/**
 * The thread pool has four threads and also serves file reads: sign-ins may take half of it. One core is left to
 * others, whose compute threads have a lower priority than this pool.
 */
const concurrentHashes = Math.max(1, Math.min(2, availableParallelism() - 1));

const turns = new HashTurns(concurrentHashes);

interface HashOptions {
  cost?: PasswordCost | undefined;
  by?: readonly string[];
}

export async function hashPassword(
  password: string,
  { cost: { memoryKib, passes } = defaultPasswordCost, by = [] }: HashOptions = {},
): Promise<string> {
  const cost = { algorithm: 2 as Algorithm, memoryCost: memoryKib, timeCost: passes, parallelism: 1 };
  return turns.run(by, () => hash(password, cost));
}

/** One per cost in use; a server has one cost. */
const dummyHashes = new Map<string, Promise<string>>();

function dummyHash(cost: PasswordCost): Promise<string> {
  const key = `${cost.memoryKib} ${cost.passes}`;
  const dummy = dummyHashes.get(key) ?? hashPassword(crypto.randomUUID(), { cost });
  dummyHashes.set(key, dummy);
  return dummy;
}

/**
 * Whether the password matches the hash. Without a hash (no such user, or one without a password) a dummy hash takes
 * the same work, so that the response time does not reveal who has an account.
 */
export async function passwordFits(
  password: string,
  storedHash: string | null | undefined,
  { cost = defaultPasswordCost, by = [] }: HashOptions = {},
): Promise<boolean> {
  const dummy = await dummyHash(cost);
  const against = storedHash || dummy;
  // Longer ones were never accepted; hashing them would waste work.
  const usable = Buffer.byteLength(password) <= maxPasswordBytes;
  const fits = await turns.run(by, () => verify(against, usable ? password : ''));
  return fits && usable && Boolean(storedHash);
}

/** Maximum cost of a hash from another service, paid at each sign-in: a higher one could block the server. */
const maxKeptCost = { memoryKib: 131_072, passes: 10, lanes: 16 };

/** Accepts a hash from another service if it can be verified here. Throws AuthError 400 `validation_failed`. */
export function checkKeptHash(storedHash: string): string {
  const match =
    /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,7}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}$/.exec(
      storedHash,
    );
  const [memoryKib = Infinity, passes = Infinity, lanes = Infinity] = match?.slice(1).map(Number) ?? [];
  const { memoryKib: maxMemory, passes: maxPasses, lanes: maxLanes } = maxKeptCost;
  if (memoryKib <= maxMemory && passes <= maxPasses && lanes <= maxLanes) return storedHash;
  throw new AuthError(
    400,
    'validation_failed',
    'A password_hash has to be one of argon2 (as $argon2id$v=19$m=...,t=...,p=...$salt$hash), of at most ' +
      `${maxMemory / 1024} MiB and ${maxPasses} passes. Add accounts with other hashes without one; their owners then reset the password by email.`,
  );
}

/** Throws AuthError 400 `validation_failed` for an empty or over-long password, 422 `weak_password` for a weak one. */
export function checkNewPassword(password: string, minLength: number): void {
  if (password === '') throw new AuthError(400, 'validation_failed', 'Signup requires a valid password.');
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    throw new AuthError(
      400,
      'validation_failed',
      `Password cannot be longer than ${maxPasswordBytes} bytes (characters beyond a-z count for more).`,
    );
  }
  const reasons: PasswordWeakness[] = [...password].length < minLength ? ['length'] : [];
  if (reasons.length > 0) {
    throw new AuthError(422, 'weak_password', `Password should be at least ${minLength} characters.`, {
      weakPassword: reasons,
    });
  }
}
