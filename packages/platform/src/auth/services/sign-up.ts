import type { PoolClient } from 'pg';
import { AuthError } from '../auth-error.ts';
import type { AuthContext, ClientOrigin } from '../auth-context.ts';
import { normaliseEmail } from '../email-address.ts';
import { checkNewPassword, hashPassword, passwordFits } from '../passwords.ts';
import { type UserAnswer, userAnswer } from '../user-answer.ts';
import {
  confirmEmail,
  findUserByEmail,
  insertAnonymousUser,
  insertUser,
  type UserRecord,
} from '../user-record.ts';
import { mailConfirmation, type MailedReturn } from './mail-codes.ts';
import { beginSession, type SessionAnswer, sessionAnswer } from './sessions.ts';

export interface SignUpRequest {
  readonly email: string;
  readonly password: string;
  readonly userMetadata: Readonly<Record<string, unknown>>;
  /** Where the link of the confirmation mail leads in the end. */
  readonly back: MailedReturn;
}

/**
 * Makes an account: a session when accounts confirm themselves, else the bare user and a mail. The password is
 * hashed before the address is looked up, so that a taken address takes as long as a free one. Throws AuthError.
 */
export async function signUp(
  context: AuthContext,
  request: SignUpRequest,
  origin: ClientOrigin,
): Promise<SessionAnswer | UserAnswer> {
  checkNewPassword(request.password, context.settings.passwordMinLength);
  const email = normaliseEmail(request.email);
  const passwordHash = await hashPassword(request.password, context.settings.passwordCost);
  const confirmed = context.settings.autoConfirm;
  const now = new Date(context.now());
  const { userMetadata } = request;

  const made = await context.database.transaction(async (client) => {
    const user = await insertUser(client, { email, passwordHash, confirmed, userMetadata, createdAt: now });
    return user && confirmed ? { user, begun: await begin(client, context, user, origin) } : { user };
  });
  if (made.begun) return sessionAnswer(context, made.begun.user, made.begun.session);
  if (made.user) return userAnswer(await mailConfirmation(context, made.user, request.back));

  const known = await findUserByEmail(context.database.pool, email);
  if (!known) throw new AuthError(422, 'user_already_exists', 'User already registered');
  if (confirmed) return joinUnconfirmed(context, known, request.password, origin);
  if (known.email_confirmed_at) {
    await context.limits.countMail(undefined, email);
    return inventedUser(email, userMetadata, now);
  }
  // The password stays: whoever asks again may be another person than who asked first.
  return userAnswer(await mailConfirmation(context, known, request.back));
}

/**
 * An account left unconfirmed from the time when mails were sent: who knows its password may have it; others
 * are told what they would be told of any account.
 */
async function joinUnconfirmed(
  context: AuthContext,
  known: UserRecord,
  password: string,
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  if (known.email_confirmed_at) throw new AuthError(422, 'user_already_exists', 'User already registered');
  const attempt = await context.limits.countPasswordAttempt(known.email ?? '', origin.address);
  if (!(await passwordFits(password, known.encrypted_password, context.settings.passwordCost))) {
    throw new AuthError(422, 'user_already_exists', 'User already registered');
  }
  await attempt.succeeded();
  const begun = await context.database.transaction(async (client) => {
    await confirmEmail(client, known.id, new Date(context.now()));
    return begin(client, context, known, origin);
  });
  return sessionAnswer(context, begun.user, begun.session);
}

/** An account without an address, signed in. */
export async function signUpAnonymously(
  context: AuthContext,
  userMetadata: Readonly<Record<string, unknown>>,
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  const createdAt = new Date(context.now());
  const begun = await context.database.transaction(async (client) => {
    const user = await insertAnonymousUser(client, { userMetadata, createdAt });
    if (!user) throw new Error('A new account was not stored.');
    return beginSession(client, context, user.id, { ...origin, method: 'anonymous' });
  });
  return sessionAnswer(context, begun.user, begun.session);
}

async function begin(client: PoolClient, context: AuthContext, user: UserRecord, origin: ClientOrigin) {
  return beginSession(client, context, user.id, { ...origin, method: 'password' });
}

/** What a stranger gets for an address that has an account: nothing that tells it from a new one. */
function inventedUser(email: string, userMetadata: Readonly<Record<string, unknown>>, now: Date): UserAnswer {
  const time = now.toISOString();
  return {
    id: crypto.randomUUID(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: time,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: userMetadata,
    identities: [],
    created_at: time,
    updated_at: time,
    is_anonymous: false,
  };
}
