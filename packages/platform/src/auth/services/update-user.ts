import type { PoolClient } from 'pg';
import { AuthError } from '../auth-error.ts';
import type { AuthContext, ClientOrigin } from '../auth-context.ts';
import { normaliseEmail } from '../email-address.ts';
import { checkNewPassword, hashPassword, passwordFits } from '../passwords.ts';
import { type UserAnswer, userAnswer } from '../user-answer.ts';
import { findUser, type UserRecord } from '../user-record.ts';
import type { SignedIn } from './authenticate.ts';

export interface UserChanges {
  readonly password: string | undefined;
  readonly currentPassword: string | undefined;
  readonly email: string | undefined;
  /** Merged into the user's metadata; a null takes a field away. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Changes the signed-in user. A new password ends every other session and voids what was mailed and not used.
 * Throws AuthError.
 */
export async function updateUser(
  context: AuthContext,
  { user, claims }: SignedIn,
  changes: UserChanges,
  origin: ClientOrigin,
): Promise<UserAnswer> {
  const passwordHash = await newPasswordHash(context, user, changes, origin);
  const email = newEmail(context, user, changes.email);
  const now = new Date(context.now());
  const write = async (client: PoolClient) => {
    if (passwordHash !== undefined) {
      await client.query(`update auth.users set encrypted_password = $2, updated_at = $3 where id = $1`, [
        user.id,
        passwordHash,
        now,
      ]);
      await client.query(`delete from auth.sessions where user_id = $1 and id <> $2`, [
        user.id,
        claims.session_id,
      ]);
      await client.query(`delete from auth.one_time_tokens where user_id = $1`, [user.id]);
    }
    if (changes.data !== undefined) {
      // In SQL, so that two changes at once both arrive.
      await client.query(
        `update auth.users set updated_at = $2,
           raw_user_meta_data = (coalesce(raw_user_meta_data, '{}'::jsonb) || $3::jsonb) - $4::text[]
         where id = $1`,
        [
          user.id,
          now,
          JSON.stringify(changes.data),
          Object.entries(changes.data).flatMap(([key, value]) => (value === null ? [key] : [])),
        ],
      );
    }
    if (email !== undefined) {
      await client.query(`update auth.users set email = $2, updated_at = $3 where id = $1`, [
        user.id,
        email,
        now,
      ]);
      await client.query(
        `update auth.identities set updated_at = $3, identity_data = identity_data || jsonb_build_object('email', $2::text)
         where user_id = $1 and provider = 'email'`,
        [user.id, email, now],
      );
    }
    return findUser(client, user.id);
  };
  const updated = await context.database.transaction(write).catch((cause: unknown) => {
    throw isDuplicate(cause) ? emailExists(cause) : cause;
  });
  if (!updated) throw new AuthError(403, 'user_not_found', 'The account no longer exists.');
  return userAnswer(updated);
}

async function newPasswordHash(
  context: AuthContext,
  user: UserRecord,
  { password, currentPassword }: UserChanges,
  origin: ClientOrigin,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  checkNewPassword(password, context.settings.passwordMinLength);
  if (currentPassword !== undefined && user.encrypted_password) {
    const attempt = await context.limits.countPasswordAttempt(user.email ?? user.id, origin.address);
    if (!(await passwordFits(currentPassword, user.encrypted_password))) {
      throw new AuthError(400, 'current_password_invalid', 'The current password is not right.');
    }
    await attempt.succeeded();
  } else if (context.settings.requireCurrentPassword && user.encrypted_password) {
    throw new AuthError(400, 'current_password_required', 'The current password is needed to change it.');
  }
  if (user.encrypted_password && (await passwordFits(password, user.encrypted_password))) {
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
  }
  return hashPassword(password);
}

/** Without mail an address changes at once, as accounts confirm themselves; with it, it would need both mailboxes. */
function newEmail(context: AuthContext, user: UserRecord, asked: string | undefined): string | undefined {
  if (asked === undefined) return undefined;
  const email = normaliseEmail(asked);
  if (email === user.email) return undefined;
  if (!context.settings.autoConfirm) {
    throw new AuthError(
      404,
      'feature_disabled',
      'Changing the email address by mail is not available here yet.',
    );
  }
  return email;
}

function emailExists(cause: unknown): AuthError {
  return new AuthError(422, 'email_exists', 'A user with this email address has already been registered', {
    cause,
  });
}

/** SQLSTATE 23505, unique_violation: the index decides, so two requests at once cannot both get an address. */
function isDuplicate(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === '23505';
}
