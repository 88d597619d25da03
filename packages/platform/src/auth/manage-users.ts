import type { PoolClient } from 'pg';
import { checkAccountData } from './user-answer.ts';
import { AuthError } from './auth-error.ts';
import type { AuthContext } from './auth-context.ts';
import { normaliseEmail, normalisePhone } from './addresses.ts';
import { checkKeptHash, checkNewPassword, hashPassword } from './passwords.ts';
import { confirmEmail, findUser, insertUser, unconfirmEmail, type UserRecord } from './user-record.ts';
import { insertPhoneUser } from './sign-up-by-phone.ts';
import { applyEmailChange } from './verify.ts';

/** Account attributes that an operator may set; undefined ones stay as they are. */
export interface ManagedAttributes {
  /** Id for a new account, such as its id in another service; fixed afterwards. */
  id: string | undefined;
  email: string | undefined;
  phone: string | undefined;
  password: string | undefined;
  passwordHash: string | undefined;
  emailConfirm: boolean | undefined;
  phoneConfirm: boolean | undefined;
  userMetadata: Readonly<Record<string, unknown>> | undefined;
  appMetadata: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds from now; 0 lifts a ban. */
  banMs: number | undefined;
}

export async function addUser(context: AuthContext, attributes: ManagedAttributes): Promise<UserRecord> {
  const { email, phone } = normalised(attributes);
  if (email === undefined && phone === undefined) {
    throw new AuthError(400, 'validation_failed', 'Cannot create a user without either an email or phone');
  }
  const passwordHash = await hashOf(context, attributes);
  const { id } = attributes;
  const createdAt = new Date(context.now());
  const userMetadata = attributes.userMetadata ?? {};
  return writing(context, async (client) => {
    const created =
      email === undefined
        ? await insertPhoneUser(client, {
            id,
            phone: phone ?? '',
            passwordHash,
            userMetadata,
            byOperator: true,
            createdAt,
          })
        : await insertUser(client, {
            id,
            email,
            passwordHash,
            confirmed: false,
            userMetadata,
            byOperator: true,
            createdAt,
          });
    if (!created) throw (await idTaken(client, id)) ?? alreadyRegistered(email === undefined);
    await write(client, context, created, {
      ...attributes,
      email: undefined,
      phone,
      userMetadata: undefined,
    });
    return created.id;
  });
}

export async function changeUser(
  context: AuthContext,
  userId: string,
  attributes: ManagedAttributes,
): Promise<UserRecord> {
  const { email, phone } = normalised(attributes);
  const passwordHash = await hashOf(context, attributes);
  return writing(context, async (client) => {
    const user = await existing(client, userId);
    await write(client, context, user, { ...attributes, email, phone });
    if (passwordHash !== null) {
      await client.query(`update auth.users set encrypted_password = $2 where id = $1`, [
        userId,
        passwordHash,
      ]);
      // Sessions from the old password must end.
      await client.query(`delete from auth.sessions where user_id = $1`, [userId]);
      await client.query(`delete from auth.one_time_tokens where user_id = $1`, [userId]);
    }
    return userId;
  });
}

/**
 * Deletes an account with everything it owns, by the rules of the tables, in one transaction; bytes are noted in it and
 * deleted by the storage sweep. `soft` leaves a row without personal data, so that references to it stay valid. Throws
 * AuthError 404 `user_not_found`, or the error of `beforeRemoval`.
 */
export async function removeUser(
  context: Pick<AuthContext, 'database' | 'now' | 'beforeRemoval'>,
  userId: string,
  soft: boolean,
): Promise<void> {
  await existing(context.database.pool, userId);
  await context.beforeRemoval?.(userId);
  await context.database.transaction(async (client) => {
    await existing(client, userId);
    if (!soft) {
      await client.query(`delete from auth.users where id = $1`, [userId]);
      return;
    }
    for (const table of ['identities', 'sessions', 'one_time_tokens', 'mfa_factors']) {
      await client.query(`delete from auth.${table} where user_id = $1`, [userId]);
    }
    await client.query(
      `update auth.users set deleted_at = $2, updated_at = $2, email = null, phone = null, email_change = null,
         phone_change = null, encrypted_password = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}'
       where id = $1`,
      [userId, new Date(context.now())],
    );
  });
}

/** Throws AuthError 404 `user_not_found`. */
export async function existing(client: Pick<PoolClient, 'query'>, userId: string): Promise<UserRecord> {
  const user = await findUser(client, userId);
  if (!user) throw new AuthError(404, 'user_not_found', 'User not found');
  return user;
}

async function write(
  client: PoolClient,
  context: AuthContext,
  user: UserRecord,
  attributes: ManagedAttributes,
): Promise<void> {
  const now = new Date(context.now());
  if (attributes.email !== undefined && attributes.email !== user.email) {
    await applyEmailChange(client, user, attributes.email, now);
    // The operator is trusted: a new address is confirmed if the previous one was.
    if (user.email_confirmed_at === null) await unconfirmEmail(client, user.id);
    else await confirmEmail(client, user.id, now);
  }
  if (attributes.emailConfirm === true) await confirmEmail(client, user.id, now);
  if (attributes.emailConfirm === false) await unconfirmEmail(client, user.id);
  if (attributes.phone !== undefined && attributes.phone !== user.phone) {
    await client.query(`update auth.users set phone = $2 where id = $1`, [user.id, attributes.phone]);
  }
  await client.query(
    `update auth.users set updated_at = $2,
       phone_confirmed_at = case when $3 then coalesce(phone_confirmed_at, $2) when $10 then null else phone_confirmed_at end,
       raw_user_meta_data = (coalesce(raw_user_meta_data, '{}'::jsonb) || $4::jsonb) - $8::text[],
       raw_app_meta_data = (coalesce(raw_app_meta_data, '{}'::jsonb) || $5::jsonb) - $9::text[],
       banned_until = case when $6 then $7::timestamptz else banned_until end
     where id = $1`,
    [
      user.id,
      now,
      attributes.phoneConfirm === true,
      JSON.stringify(attributes.userMetadata ?? {}),
      JSON.stringify(attributes.appMetadata ?? {}),
      attributes.banMs !== undefined,
      attributes.banMs ? new Date(context.now() + attributes.banMs) : null,
      nulls(attributes.userMetadata),
      nulls(attributes.appMetadata),
      attributes.phoneConfirm === false,
    ],
  );
}

function nulls(data: Readonly<Record<string, unknown>> = {}): string[] {
  return Object.entries(data).flatMap(([key, value]) => (value === null ? [key] : []));
}

async function writing(
  context: AuthContext,
  work: (client: PoolClient) => Promise<string>,
): Promise<UserRecord> {
  return context.database
    .transaction(async (client) => {
      const user = await existing(client, await work(client));
      checkAccountData(user.raw_user_meta_data);
      checkAccountData(user.raw_app_meta_data);
      return user;
    })
    .catch((cause: unknown) => {
      // SQLSTATE 23505, unique_violation.
      if (cause instanceof Error && 'code' in cause && cause.code === '23505') {
        throw alreadyRegistered('constraint' in cause && cause.constraint === 'users_phone_key', cause);
      }
      throw cause;
    });
}

function normalised({ email, phone }: ManagedAttributes) {
  return {
    email: email === undefined ? undefined : normaliseEmail(email),
    phone: phone === undefined ? undefined : normalisePhone(phone),
  };
}

async function idTaken(client: PoolClient, id: string | undefined): Promise<AuthError | undefined> {
  if (id === undefined) return undefined;
  // Also for a soft-deleted account.
  const { rowCount } = await client.query(`select from auth.users where id = $1`, [id]);
  return rowCount === 0
    ? undefined
    : new AuthError(422, 'user_already_exists', 'A user with this id has already been registered');
}

async function hashOf(
  context: AuthContext,
  { password, passwordHash }: ManagedAttributes,
): Promise<string | null> {
  if (passwordHash !== undefined) {
    if (password !== undefined) {
      throw new AuthError(400, 'validation_failed', 'Only a password or a password hash should be provided');
    }
    return checkKeptHash(passwordHash);
  }
  if (password === undefined) return null;
  checkNewPassword(password, context.settings.passwordMinLength);
  return hashPassword(password, { cost: context.settings.passwordCost });
}

function alreadyRegistered(phone: boolean, cause?: unknown): AuthError {
  return phone
    ? new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered', {
        cause,
      })
    : new AuthError(422, 'email_exists', 'A user with this email address has already been registered', {
        cause,
      });
}
