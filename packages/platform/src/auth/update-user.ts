import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { PoolClient } from 'pg';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import { authenticate, requireSecondStep, type SignedIn } from './sessions.ts';
import { userAnswer, accountData, checkAccountData, type UserAnswer } from './user-answer.ts';
import { AuthError } from './auth-error.ts';
import { challengeFields, mailedReturnOf, originOf, parseInput } from './request-input.ts';
import { normaliseEmail, normalisePhone } from './addresses.ts';
import { checkNewPassword, hashPassword, passwordFits } from './passwords.ts';
import { findUser, findUserByEmail, findUserByPhone, type UserRecord } from './user-record.ts';
import { type MailedReturn, outboxOf, postEmailChange, prepareEmailChange } from './mail-codes.ts';
import { redeemNonce } from './reauthenticate.ts';
import { smsCode, smsOf } from './one-time-tokens.ts';
import { applyEmailChange } from './verify.ts';

export function getUser(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/user',
    handler: async (request) => userAnswer((await authenticate(context, request.headers.authorization)).user),
  });
}

const body = z.object({
  password: z.string().nullish(),
  current_password: z.string().nullish(),
  nonce: z.string().max(200).nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  data: accountData.nullish(),
  app_metadata: z.unknown().optional(),
  ...challengeFields,
});

export function putUser(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'PUT',
    url: '/user',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('updateUser', origin.address);
      const signedIn = await authenticate(context, request.headers.authorization);
      const input = parseInput(body, request.body);
      if (input.app_metadata !== undefined && input.app_metadata !== null) {
        throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
      }
      const changes = {
        password: input.password ?? undefined,
        currentPassword: input.current_password ?? undefined,
        nonce: input.nonce || undefined,
        // An empty address means none given, as clients that send every field have it.
        email: input.email || undefined,
        phone: input.phone || undefined,
        data: input.data ?? undefined,
        back: mailedReturnOf(request, context, input),
      };
      return updateUser(context, signedIn, changes, origin);
    },
  });
}

interface UserChanges {
  password: string | undefined;
  currentPassword: string | undefined;
  nonce: string | undefined;
  email: string | undefined;
  phone: string | undefined;
  /** Merged into the user's metadata; null removes a field. */
  data: Readonly<Record<string, unknown>> | undefined;
  /** Final target of the links that confirm a new address. */
  back: MailedReturn;
}

/** An older sign-in no longer proves that the user is at the keyboard. */
const recentSignInMs = 24 * 3_600_000;

/**
 * Changes the signed-in user. A new password ends all other sessions and voids unused mailed tokens. A new address
 * waits until it is confirmed, unless accounts are confirmed automatically. Throws AuthError.
 */
async function updateUser(
  context: AuthContext,
  signedIn: SignedIn,
  changes: UserChanges,
  origin: ClientOrigin,
): Promise<UserAnswer> {
  const { user, claims } = signedIn;
  if (changes.password !== undefined || changes.email !== undefined || changes.phone !== undefined) {
    requireSecondStep(
      signedIn,
      // The status that clients expect of this call.
      401,
      'AAL2 session is required to update email or password when MFA is enabled.',
    );
  }
  const email = await newEmail(context, user, changes.email);
  const phone = await newPhone(context, user, changes.phone);
  const passwordHash = await newPasswordHash(context, signedIn, changes, origin);
  const now = new Date(context.now());
  const change =
    email === undefined || context.settings.autoConfirm
      ? undefined
      : { user, newEmail: email, back: changes.back };
  if (change) await context.limits.countMail(undefined, change.newEmail);
  const write = async (client: PoolClient) => {
    if (passwordHash !== undefined)
      await writePassword(client, user.id, claims.session_id, passwordHash, now);
    if (changes.data !== undefined) await writeData(client, user.id, changes.data, now);
    if (phone !== undefined) {
      await client.query(
        `update auth.users set phone_change = $2, phone_change_sent_at = $3, updated_at = $3 where id = $1`,
        [user.id, phone, now],
      );
    }
    const prepared = change && (await prepareEmailChange(client, context, change));
    if (email !== undefined && !change) await applyEmailChange(client, user, email, now);
    const updated = await findUser(client, user.id);
    if (changes.data !== undefined) checkAccountData(updated?.raw_user_meta_data ?? null);
    return { prepared, updated };
  };
  const { prepared, updated } = await context.database.transaction(write).catch((cause: unknown) => {
    throw isDuplicate(cause) ? emailExists(cause) : cause;
  });
  if (!updated) throw new AuthError(403, 'user_not_found', 'The account no longer exists.');
  if (change && prepared) postEmailChange(context, change, prepared);
  if (phone !== undefined) await smsCode(context, phone, 'phone_change_token', async () => updated);
  return userAnswer(updated);
}

async function writePassword(
  client: PoolClient,
  userId: string,
  sessionId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  await client.query(`update auth.users set encrypted_password = $2, updated_at = $3 where id = $1`, [
    userId,
    passwordHash,
    now,
  ]);
  await client.query(`delete from auth.sessions where user_id = $1 and id <> $2`, [userId, sessionId]);
  await client.query(`delete from auth.one_time_tokens where user_id = $1`, [userId]);
}

async function writeData(
  client: PoolClient,
  userId: string,
  data: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  // In SQL, so that concurrent changes are both kept.
  await client.query(
    `update auth.users set updated_at = $2,
       raw_user_meta_data = (coalesce(raw_user_meta_data, '{}'::jsonb) || $3::jsonb) - $4::text[]
     where id = $1`,
    [
      userId,
      now,
      JSON.stringify(data),
      Object.entries(data).flatMap(([key, value]) => (value === null ? [key] : [])),
    ],
  );
}

async function newPasswordHash(
  context: AuthContext,
  { user, claims }: SignedIn,
  { password, currentPassword, nonce, email, phone }: UserChanges,
  origin: ClientOrigin,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  const { settings } = context;
  checkNewPassword(password, settings.passwordMinLength);
  if (user.is_anonymous && !email && !phone) {
    throw new AuthError(
      422,
      'validation_failed',
      'Updating password of an anonymous user without an email or phone is not allowed',
    );
  }
  const turn = { cost: settings.passwordCost, by: [user.id, origin.address] };
  // A sign-in by mail proves the mailbox, and may be for a forgotten password.
  const byMail = claims.amr.some(({ method }) => ['otp', 'recovery', 'magiclink'].includes(method));
  if (currentPassword !== undefined && user.encrypted_password) {
    const attempt = await context.limits.countPasswordAttempt(user.email ?? user.id, origin.address);
    if (!(await passwordFits(currentPassword, user.encrypted_password, turn))) {
      throw new AuthError(400, 'current_password_invalid', 'The current password is incorrect.');
    }
    await attempt.succeeded();
  } else if (settings.requireCurrentPassword && user.encrypted_password && !byMail) {
    throw new AuthError(400, 'current_password_required', 'Enter the current password to change it.');
  }
  if (user.encrypted_password && (await passwordFits(password, user.encrypted_password, turn))) {
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
  }
  if (settings.requireRecentSignIn && !(await signedInRecently(context, claims.session_id))) {
    if (!nonce) {
      throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication');
    }
    await redeemNonce(context, user, nonce);
  }
  return hashPassword(password, turn);
}

async function signedInRecently(context: AuthContext, sessionId: string): Promise<boolean> {
  const { rows } = await context.database.pool.query(
    `select 1 from auth.sessions where id = $1 and created_at > $2`,
    [sessionId, new Date(context.now() - recentSignInMs)],
  );
  return rows.length > 0;
}

/** The new address; undefined if none or the present one is given. */
async function newEmail(
  context: AuthContext,
  user: UserRecord,
  requested: string | undefined,
): Promise<string | undefined> {
  if (requested === undefined) return undefined;
  const email = normaliseEmail(requested);
  if (email === user.email) return undefined;
  if (!context.settings.autoConfirm) outboxOf(context);
  if (await findUserByEmail(context.database.pool, email)) throw emailExists();
  return email;
}

async function newPhone(
  context: AuthContext,
  user: UserRecord,
  requested: string | undefined,
): Promise<string | undefined> {
  if (requested === undefined) return undefined;
  smsOf(context);
  const phone = normalisePhone(requested);
  if (phone === user.phone) return undefined;
  if (await findUserByPhone(context.database.pool, phone)) {
    throw new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered');
  }
  return phone;
}

function emailExists(cause?: unknown): AuthError {
  return new AuthError(422, 'email_exists', 'A user with this email address has already been registered', {
    cause,
  });
}

/** SQLSTATE 23505, unique_violation: the index decides, so that two concurrent requests cannot both get an address. */
function isDuplicate(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '23505';
}
