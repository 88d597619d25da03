import { AuthError } from '../auth-error.ts';
import type { AuthContext, ClientOrigin } from '../auth-context.ts';
import { checkNewPassword, hashPassword } from '../passwords.ts';
import { normalisePhone } from '../phone-number.ts';
import { type UserAnswer, userAnswer } from '../user-answer.ts';
import { findUser, findUserByPhone, type Queryable, type UserRecord } from '../user-record.ts';
import { beginSession, type SessionAnswer, sessionAnswer } from './sessions.ts';
import { smsCode, smsOf } from './sms-codes.ts';

export interface NewPhoneUser {
  /** By default a new one. */
  readonly id?: string | undefined;
  readonly phone: string;
  readonly passwordHash: string | null;
  readonly userMetadata: Readonly<Record<string, unknown>>;
  /** On an operator's word: nothing is sent to the number. */
  readonly byOperator?: boolean;
  readonly createdAt: Date;
}

/** Adds an unconfirmed account with a number; undefined when the number is taken. */
export async function insertPhoneUser(
  client: Queryable,
  user: NewPhoneUser,
): Promise<UserRecord | undefined> {
  const id = user.id ?? crypto.randomUUID();
  const inserted = await client.query(
    `insert into auth.users (id, aud, role, phone, encrypted_password, raw_app_meta_data, raw_user_meta_data,
       confirmation_sent_at, created_at, updated_at)
     values ($1, 'authenticated', 'authenticated', $2, $3, $4, $5, $7, $6, $6) on conflict do nothing`,
    [
      id,
      user.phone,
      user.passwordHash,
      JSON.stringify({ provider: 'phone', providers: ['phone'] }),
      JSON.stringify(user.userMetadata),
      user.createdAt,
      user.byOperator ? null : user.createdAt,
    ],
  );
  if (inserted.rowCount === 0) return undefined;
  await client.query(
    `insert into auth.identities (id, provider_id, user_id, identity_data, provider, created_at, updated_at)
     values ($1, $2::text, $3, $4, 'phone', $5, $5)`,
    [
      crypto.randomUUID(),
      id,
      id,
      JSON.stringify({ sub: id, phone: user.phone, email_verified: false, phone_verified: false }),
      user.createdAt,
    ],
  );
  return findUser(client, id);
}

export interface PhoneSignUp {
  readonly phone: string;
  readonly password: string;
  readonly userMetadata: Readonly<Record<string, unknown>>;
}

/**
 * Makes an account by number and password: a session when numbers confirm themselves, else the bare user and a code in
 * a text message. Throws AuthError.
 */
export async function signUpByPhone(
  context: AuthContext,
  request: PhoneSignUp,
  origin: ClientOrigin,
): Promise<SessionAnswer | UserAnswer> {
  const { phoneEnabled, phoneAutoConfirm, passwordMinLength } = context.settings;
  if (!phoneEnabled || !phoneAutoConfirm) smsOf(context);
  checkNewPassword(request.password, passwordMinLength);
  const phone = normalisePhone(request.phone);
  const passwordHash = await hashPassword(request.password, context.settings.passwordCost);
  const createdAt = new Date(context.now());
  const { userMetadata } = request;
  const made = await context.database.transaction(async (client) => {
    const user = await insertPhoneUser(client, { phone, passwordHash, userMetadata, createdAt });
    if (!user || !phoneAutoConfirm) return { user };
    await client.query(`update auth.users set phone_confirmed_at = $2 where id = $1`, [user.id, createdAt]);
    return { user, begun: await beginSession(client, context, user.id, { ...origin, method: 'password' }) };
  });
  if (made.begun) return sessionAnswer(context, made.begun.user, made.begun.session);
  const user = made.user ?? (await findUserByPhone(context.database.pool, phone));
  if (!user || user.phone_confirmed_at || phoneAutoConfirm) {
    throw new AuthError(422, 'user_already_exists', 'User already registered');
  }
  await smsCode(context, user, phone, 'phone_token');
  return userAnswer(user);
}
