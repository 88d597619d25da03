import { AuthError } from '../auth-error.ts';
import type { AuthContext, ClientOrigin } from '../auth-context.ts';
import { passwordFits } from '../passwords.ts';
import { normalisePhone } from '../phone-number.ts';
import { findUserByEmail, findUserByPhone, isBanned } from '../user-record.ts';
import { beginSession, type SessionAnswer, sessionAnswer } from './sessions.ts';

export interface PasswordGrant {
  /** One of the two. */
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly password: string;
}

/**
 * Signs in with address or number and password. An unknown address, an account without a password and a wrong password
 * are one and the same refusal, in words and in time taken; what else stands against signing in is said only
 * to who knows the password. Throws AuthError.
 */
export async function signInWithPassword(
  context: AuthContext,
  { email: given, phone, password }: PasswordGrant,
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  const name = given === undefined ? normalisePhone(phone ?? '') : given.trim().toLowerCase();
  const attempt = await context.limits.countPasswordAttempt(name, origin.address);
  const find = given === undefined ? findUserByPhone : findUserByEmail;
  const user = await find(context.database.pool, name);
  const fits = await passwordFits(password, user?.encrypted_password, context.settings.passwordCost);
  if (!user || !fits) throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
  await attempt.succeeded();
  if (isBanned(user, context.now())) throw new AuthError(400, 'user_banned', 'This account is suspended.');
  if (given === undefined ? !user.phone_confirmed_at : !user.email_confirmed_at) {
    throw given === undefined
      ? new AuthError(400, 'phone_not_confirmed', 'Phone not confirmed')
      : new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
  }
  const begun = await context.database.transaction((client) =>
    beginSession(client, context, user.id, { ...origin, method: 'password' }),
  );
  return sessionAnswer(context, begun.user, begun.session);
}
