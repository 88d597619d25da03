import { AuthError } from '../auth-error.ts';
import type { AuthContext, ClientOrigin } from '../auth-context.ts';
import { passwordFits } from '../passwords.ts';
import { findUserByEmail, isBanned } from '../user-record.ts';
import { beginSession, type SessionAnswer, sessionAnswer } from './sessions.ts';

/**
 * Signs in with address and password. An unknown address, an account without a password and a wrong password
 * are one and the same refusal, in words and in time taken; what else stands against signing in is said only
 * to who knows the password. Throws AuthError.
 */
export async function signInWithPassword(
  context: AuthContext,
  { email: given, password }: { readonly email: string; readonly password: string },
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  const email = given.trim().toLowerCase();
  const attempt = await context.limits.countPasswordAttempt(email, origin.address);
  const user = await findUserByEmail(context.database.pool, email);
  const fits = await passwordFits(password, user?.encrypted_password);
  if (!user || !fits) throw new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
  await attempt.succeeded();
  if (isBanned(user, context.now())) throw new AuthError(400, 'user_banned', 'This account is suspended.');
  if (!user.email_confirmed_at) throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');
  const begun = await context.database.transaction((client) =>
    beginSession(client, context, user.id, { ...origin, method: 'password' }),
  );
  return sessionAnswer(context, begun.user, begun.session);
}
