import { createHash, randomBytes } from 'node:crypto';
import { AuthError } from '../auth-error.ts';
import type { AuthContext, ClientOrigin } from '../auth-context.ts';
import { confirmEmail, findUser, type UserRecord } from '../user-record.ts';
import { allowedTarget } from './redirect-target.ts';
import { beginSession, type SessionAnswer, sessionAnswer } from './sessions.ts';

const tokenType = 'confirmation_token';

/** Mails the link that confirms an address, replacing an earlier one; answers the user as now stored. */
export async function sendConfirmation(
  context: AuthContext,
  user: UserRecord,
  redirectTo: string | undefined,
): Promise<UserRecord> {
  const { mailer, settings } = context;
  if (!mailer) throw new AuthError(404, 'feature_disabled', 'Mail is not set up here.');
  // A link a minute is enough, and it keeps the form from filling a stranger's mailbox.
  const sentAt = user.confirmation_sent_at && new Date(user.confirmation_sent_at).getTime();
  if (sentAt && context.now() - sentAt < 60_000) return user;
  const token = randomBytes(32).toString('hex');
  const now = new Date(context.now());
  const stored = await context.database.transaction(async (client) => {
    await client.query(`delete from auth.one_time_tokens where user_id = $1 and token_type = $2`, [
      user.id,
      tokenType,
    ]);
    await client.query(
      `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        crypto.randomUUID(),
        user.id,
        tokenType,
        digest(token),
        user.email,
        now,
        new Date(now.getTime() + settings.mailLinkSeconds * 1000),
      ],
    );
    await client.query(`update auth.users set confirmation_sent_at = $2 where id = $1`, [user.id, now]);
    return findUser(client, user.id);
  });
  const link = new URL(`${context.publicUrl}/auth/v1/verify`);
  link.search = new URLSearchParams({
    token,
    type: 'signup',
    redirect_to: allowedTarget(context.siteUrl, redirectTo),
  }).toString();
  await mailer.send({
    to: user.email ?? '',
    subject: 'Confirm your email address',
    text: `Welcome to Cellfolio.\n\nOpen this link to confirm your email address:\n${link.href}\n\nIf you did not ask for an account, you can ignore this mail.\n`,
  });
  return stored ?? user;
}

/** Confirms the address that a mailed token was sent to and signs in. Throws AuthError 403 `otp_expired`. */
export async function confirmWithToken(
  context: AuthContext,
  token: string,
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  const now = new Date(context.now());
  const begun = await context.database.transaction(async (client) => {
    // Deleted as it is read: a link works once, whoever comes second.
    const { rows } = await client.query<{ user_id: string }>(
      `delete from auth.one_time_tokens t using auth.users u
       where t.token_hash = $1 and t.token_type = $2 and t.expires_at > $3
         and u.id = t.user_id and u.email = t.relates_to and u.deleted_at is null
         and (u.banned_until is null or u.banned_until <= $3)
       returning t.user_id`,
      [digest(token), tokenType, now],
    );
    const userId = rows[0]?.user_id;
    if (userId === undefined) return undefined;
    await confirmEmail(client, userId, now);
    return beginSession(client, context, userId, { ...origin, method: 'otp' });
  });
  if (!begun) throw new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
  return sessionAnswer(context, begun.user, begun.session);
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
