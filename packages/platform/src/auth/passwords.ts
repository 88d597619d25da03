import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { AuthError, type PasswordWeakness } from './auth-error.ts';

/**
 * argon2id as OWASP's password sheet gives it: 19 MiB, two passes, one lane. About 60 ms here; it runs on
 * libuv's thread pool, so the event loop goes on.
 */
const cost = { algorithm: 2 as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Beyond this many bytes, hashes kept elsewhere (bcrypt) ignore the rest, so nobody may rely on it. */
const maxPasswordBytes = 72;

/** The thread pool has four threads and also serves file reads: sign-ins may take half of it. */
const concurrentHashes = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= concurrentHashes) {
    // The one that ends hands its place over, so the count stays as it is.
    await new Promise<void>((resume) => waiting.push(resume));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

let dummyHash: Promise<string> | undefined;

/**
 * Whether the password fits the hash. Without a hash (no such user, or one without a password) the same work
 * is done on a hash that nothing fits, so that the time taken does not tell who has an account.
 */
export async function passwordFits(password: string, kept: string | null | undefined): Promise<boolean> {
  dummyHash ??= hashPassword(crypto.randomUUID());
  const against = kept || (await dummyHash);
  // Longer ones were never accepted; hashing them would only be work for whoever sends them.
  const usable = Buffer.byteLength(password) <= maxPasswordBytes;
  const fits = await inTurn(() => verify(against, usable ? password : ''));
  return fits && usable && Boolean(kept);
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
