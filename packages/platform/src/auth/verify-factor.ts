import { createHmac, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { PoolClient } from 'pg';
import { isSameKey } from '../credentials.ts';
import { AuthError } from './auth-error.ts';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import type { AmrEntry } from './tokens/access-token.ts';
import { findUser, type FactorRecord, type UserRecord } from './user-record.ts';
import { type SignedIn, type SessionAnswer, sessionAnswer } from './sessions.ts';
import { postCode, smsOf } from './one-time-tokens.ts';

/** An unanswered challenge expires after this time. */
const lapseMs = 300_000;
const stepMs = 30_000;
/** Codes of the steps before and after also pass, for clocks that are off. */
const window = 1;
const maxWrongCodes = 5;

interface ChallengeAnswer {
  id: string;
  type: 'totp' | 'phone';
  /** Seconds since 1970. */
  expires_at: number;
}

/** Starts a challenge for the factor and sends a code to a phone. Throws AuthError. */
export async function challengeFactor(
  context: AuthContext,
  { user }: SignedIn,
  factorId: string,
  origin: ClientOrigin,
): Promise<ChallengeAnswer> {
  const factor = ownFactor(user, factorId);
  const code = factor.factor_type === 'phone' ? randomInt(1_000_000).toString().padStart(6, '0') : undefined;
  const sms = code === undefined ? undefined : smsOf(context);
  if (sms) await context.limits.countSms('second step', factor.phone ?? '');
  const id = crypto.randomUUID();
  const now = context.now();
  await context.database.transaction(async (client) => {
    await client.query(`delete from auth.mfa_challenges where factor_id = $1 and created_at < $2`, [
      factor.id,
      new Date(now - lapseMs),
    ]);
    await client.query(
      `insert into auth.mfa_challenges (id, factor_id, ip_address, code_hash, created_at) values ($1, $2, $3, $4, $5)`,
      [id, factor.id, origin.address, code === undefined ? null : codeHash(context, id, code), new Date(now)],
    );
    await client.query(`update auth.mfa_factors set last_challenged_at = $2 where id = $1`, [
      factor.id,
      new Date(now),
    ]);
  });
  if (sms && code !== undefined) postCode(sms, context, factor.phone ?? '', code);
  return { id, type: factor.factor_type, expires_at: Math.floor((now + lapseMs) / 1000) };
}

/**
 * Completes the second factor: raises the session to aal2 with new tokens, invalidates its previous refresh tokens, and
 * ends the user's sessions that have not passed it. The first code of a factor completes its enrolment. Throws
 * AuthError.
 */
export async function verifyFactor(
  context: AuthContext,
  { user, claims }: SignedIn,
  { factorId, challengeId, code }: { factorId: string; challengeId: string; code: string },
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  const { id: ownId } = ownFactor(user, factorId);
  if (code === '') throw new AuthError(400, 'validation_failed', 'A code is required.');
  const attempt = await context.limits.countSecondStepAttempt(user.id);
  const outcome = await context.database.transaction(async (client) => {
    const factor = await lockFactor(client, ownId);
    const challenge = await lockChallenge(client, ownId, challengeId);
    if (!factor || !challenge) {
      return new AuthError(
        422,
        'mfa_factor_not_found',
        'MFA factor with the provided challenge ID not found',
      );
    }
    const now = context.now();
    if (new Date(challenge.created_at).getTime() + lapseMs <= now) {
      return new AuthError(
        422,
        'mfa_challenge_expired',
        'MFA challenge has expired, verify against another challenge or create a new challenge.',
      );
    }
    if (challenge.ip_address !== origin.address) {
      return new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.');
    }
    const step = fittingStep(context, factor, challenge, code);
    if (step === undefined) {
      await client.query(`update auth.mfa_challenges set wrong_codes = wrong_codes + 1 where id = $1`, [
        challenge.id,
      ]);
      return new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
    }
    await client.query(
      `update auth.mfa_factors set status = 'verified', last_step = greatest(last_step, $2::bigint), updated_at = $3 where id = $1`,
      [factor.id, step, new Date(now)],
    );
    await client.query(`delete from auth.mfa_challenges where factor_id = $1`, [factor.id]);
    await client.query(
      `delete from auth.mfa_factors where user_id = $1 and factor_type = $2 and status = 'unverified'`,
      [user.id, factor.factor_type],
    );
    await client.query(
      `delete from auth.sessions where user_id = $1 and id <> $2 and aal is distinct from 'aal2'`,
      [user.id, claims.session_id],
    );
    const session = await raise(client, claims.session_id, factor, now);
    if (!session) {
      return new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
    }
    const raised = await findUser(client, user.id);
    return raised
      ? { session, user: raised }
      : new AuthError(403, 'user_not_found', 'The account no longer exists.');
  });
  // Returned, not thrown: the count of wrong codes must be committed.
  if (outcome instanceof AuthError) throw outcome;
  await attempt.succeeded();
  return sessionAnswer(context, outcome.user, outcome.session);
}

interface LockedFactor {
  id: string;
  factor_type: 'totp' | 'phone';
  secret: string | null;
  last_step: string | number | null;
}

async function lockFactor(client: PoolClient, id: string): Promise<LockedFactor | undefined> {
  const { rows } = await client.query<LockedFactor>(
    `select id, factor_type, secret, last_step from auth.mfa_factors where id = $1 for update`,
    [id],
  );
  return rows[0];
}

interface LockedChallenge {
  id: string;
  ip_address: string;
  code_hash: string | null;
  wrong_codes: number;
  created_at: Date | string;
}

async function lockChallenge(
  client: PoolClient,
  factorId: string,
  challengeId: string,
): Promise<LockedChallenge | undefined> {
  const { rows } = await client.query<LockedChallenge>(
    `select id, ip_address, code_hash, wrong_codes, created_at from auth.mfa_challenges
     where factor_id = $1 and id::text = $2 for update`,
    [factorId, challengeId],
  );
  return rows[0];
}

/** The 30-second step of the code, 0 for a phone's; undefined for a wrong, old or used one. */
function fittingStep(
  context: AuthContext,
  factor: LockedFactor,
  challenge: LockedChallenge,
  code: string,
): number | undefined {
  if (!/^\d{6}$/.test(code) || challenge.wrong_codes >= maxWrongCodes) return undefined;
  if (factor.factor_type === 'phone') {
    if (challenge.code_hash === null) return undefined;
    return isSameKey(codeHash(context, challenge.id, code), challenge.code_hash) ? 0 : undefined;
  }
  if (factor.secret === null) return undefined;
  const now = context.now();
  const totp = new TOTP({ secret: Secret.fromBase32(factor.secret) });
  const delta = totp.validate({ token: code, timestamp: now, window });
  if (delta === null) return undefined;
  const step = Math.floor(now / stepMs) + delta;
  // Prevents replay of an observed code.
  return factor.last_step !== null && step <= Number(factor.last_step) ? undefined : step;
}

/** Raises the session and invalidates all its previous refresh tokens. */
async function raise(client: PoolClient, sessionId: string, factor: LockedFactor, now: number) {
  const { rows } = await client.query<{ amr: AmrEntry[] | null; refresh_counter: string | number }>(
    `select amr, refresh_counter from auth.sessions where id = $1 for update`,
    [sessionId],
  );
  const row = rows[0];
  if (!row) return undefined;
  const method = factor.factor_type === 'totp' ? 'totp' : 'mfa/phone';
  const amr = [
    { method, timestamp: Math.floor(now / 1000) },
    ...(row.amr ?? []).filter((entry) => entry.method !== method),
  ];
  const counter = Number(row.refresh_counter) + 1;
  await client.query(
    `update auth.sessions set aal = 'aal2', amr = $2, factor_id = $3, refresh_counter = $4, refresh_floor = $4,
       refreshed_at = $5, updated_at = $5
     where id = $1`,
    [sessionId, JSON.stringify(amr), factor.id, counter, new Date(now)],
  );
  return { id: sessionId, aal: 'aal2' as const, amr, counter };
}

function codeHash(context: AuthContext, challengeId: string, code: string): string {
  return createHmac('sha256', context.codeKey).update(`${challengeId} ${code}`).digest('hex');
}

/** Removes a factor; sessions raised by it fall back. A verified factor needs aal2. Throws AuthError. */
export async function unenrol(
  context: AuthContext,
  { user, claims }: SignedIn,
  factorId: string,
): Promise<{ id: string }> {
  const factor = ownFactor(user, factorId);
  if (factor.status === 'verified' && claims.aal !== 'aal2') {
    throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
  }
  await removeFactor(context, factor.id);
  return { id: factor.id };
}

/** Removes a factor without an access check: for callers that have checked, and for operators. */
export async function removeFactor(context: AuthContext, factorId: string): Promise<void> {
  await context.database.transaction(async (client) => {
    await client.query(`delete from auth.mfa_factors where id = $1`, [factorId]);
    await client.query(
      `update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $2,
         amr = coalesce((select jsonb_agg(entry) from jsonb_array_elements(amr) entry
                         where entry ->> 'method' not in ('totp', 'mfa/phone')), '[]'::jsonb)
       where factor_id = $1`,
      [factorId, new Date(context.now())],
    );
  });
}

/** Throws AuthError 404 `mfa_factor_not_found`, also for another user's factor. */
export function ownFactor(user: UserRecord, factorId: string): FactorRecord {
  const factor = user.factors.find(({ id }) => id === factorId);
  if (!factor) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
  return factor;
}
