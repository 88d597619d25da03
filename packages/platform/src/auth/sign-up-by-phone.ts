import { AuthError } from './auth-error.ts';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import { normalisePhone } from './addresses.ts';
import type { UserAnswer } from './user-answer.ts';
import { findUser, findUserByPhone, type Queryable, type UserRecord } from './user-record.ts';
import { beginSession, type SessionAnswer, sessionAnswer } from './sessions.ts';
import { smsCode, smsOf } from './one-time-tokens.ts';

interface NewPhoneUser {
  id?: string | undefined;
  phone: string;
  passwordHash: string | null;
  userMetadata: Readonly<Record<string, unknown>>;
  /** Created by an operator: nothing is sent to the number. */
  byOperator?: boolean;
  createdAt: Date;
}

/** Adds an unconfirmed account with a number; undefined if the number is taken, after the same statements. */
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
  const isNew = inserted.rowCount === 1;
  await client.query(
    `insert into auth.identities (id, provider_id, user_id, identity_data, provider, created_at, updated_at)
     select $1, $2::text, $3, $4, 'phone', $5, $5 where $6::boolean`,
    [
      crypto.randomUUID(),
      id,
      id,
      JSON.stringify({ sub: id, phone: user.phone, email_verified: false, phone_verified: false }),
      user.createdAt,
      isNew,
    ],
  );
  const stored = await findUser(client, id);
  return isNew ? stored : undefined;
}

interface PhoneSignUp {
  phone: string;
  password: string;
  userMetadata: Readonly<Record<string, unknown>>;
}

/**
 * Creates an account by number and password: returns a session if numbers are confirmed automatically, else the bare
 * user, and sends a code by text message. A number with an account then gets the same response, and its owner may sign
 * in with the code. Throws AuthError.
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
  const passwordHash = await hashPassword(request.password, {
    cost: context.settings.passwordCost,
    by: [phone, origin.address],
  });
  const now = new Date(context.now());
  const { userMetadata } = request;
  const insert = (client: Queryable) =>
    insertPhoneUser(client, { phone, passwordHash, userMetadata, createdAt: now });
  if (!phoneAutoConfirm) {
    let made: UserRecord | undefined;
    await smsCode(context, phone, 'phone_token', async (client) => {
      made = await insert(client);
      return findUserByPhone(client, phone);
    });
    return signedUpAnswer({ phone }, { made, userMetadata, now });
  }
  const begun = await context.database.transaction(async (client) => {
    const user = await insert(client);
    if (!user) throw new AuthError(422, 'user_already_exists', 'User already registered');
    await client.query(`update auth.users set phone_confirmed_at = $2 where id = $1`, [user.id, now]);
    return beginSession(client, context, user.id, { ...origin, method: 'password' });
  });
  return sessionAnswer(context, begun.user, begun.session);
}

interface SignedUp {
  /** The new account; undefined if the address or number already had one. */
  made: UserRecord | undefined;
  userMetadata: Readonly<Record<string, unknown>>;
  now: Date;
}

/**
 * Response to a sign-up that awaits confirmation. It is built from the request alone, with random ids if no account was
 * made: so it does not reveal who has an account, or its content.
 */
export function signedUpAnswer(
  name: { email: string } | { phone: string },
  { made, userMetadata, now }: SignedUp,
): UserAnswer {
  const id = made?.id ?? crypto.randomUUID();
  const time = now.toISOString();
  const claims = { sub: id, ...name, email_verified: false, phone_verified: false };
  const byEmail = 'email' in name;
  const provider = byEmail ? 'email' : 'phone';
  const metadata = byEmail ? { ...userMetadata, ...claims } : userMetadata;
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email: '',
    phone: '',
    ...name,
    confirmation_sent_at: time,
    app_metadata: { provider, providers: [provider] },
    user_metadata: metadata,
    identities: [
      {
        identity_id: made?.identities[0]?.id ?? crypto.randomUUID(),
        id,
        user_id: id,
        identity_data: byEmail ? metadata : claims,
        provider,
        last_sign_in_at: byEmail ? time : null,
        created_at: time,
        updated_at: time,
        ...(byEmail && { email: name.email }),
      },
    ],
    created_at: time,
    updated_at: time,
    is_anonymous: false,
  };
}
