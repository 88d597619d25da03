import type { FastifyInstance } from 'fastify';
import type { AuthContext } from './auth-context.ts';
import { originOf } from './request-input.ts';
import { authenticate } from './sessions.ts';
import { AuthError } from './auth-error.ts';
import { accountMail } from './mail/account-mails.ts';
import type { UserRecord } from './user-record.ts';
import { mailFrame, outboxOf } from './mail-codes.ts';
import { issueToken, redeemCode, smsCode } from './one-time-tokens.ts';

export function getReauthenticate(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/reauthenticate',
    // It sends a code, so HEAD must not trigger it.
    exposeHeadRoute: false,
    handler: async (request) => {
      await context.limits.countRequest('recover', originOf(request, context.settings).address);
      const { user } = await authenticate(context, request.headers.authorization);
      await sendReauthentication(context, user);
      return {};
    },
  });
}

async function sendReauthentication(context: AuthContext, user: UserRecord): Promise<void> {
  const { email, phone } = user;
  if (!email && !phone) {
    throw new AuthError(
      400,
      'validation_failed',
      'Reauthentication requires the user to have an email or a phone number',
    );
  }
  if (!email) {
    if (!user.phone_confirmed_at) {
      throw new AuthError(422, 'phone_not_confirmed', 'Please verify your phone first.');
    }
    await smsCode(context, phone ?? '', 'reauthentication_token', async () => user);
    return;
  }
  if (!user.email_confirmed_at) {
    throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.');
  }
  const outbox = outboxOf(context);
  await context.limits.countMail('reauthenticate', email);
  const { code } = await context.database.transaction(async (client) => {
    await client.query(`update auth.users set reauthentication_sent_at = $2 where id = $1`, [
      user.id,
      new Date(context.now()),
    ]);
    return issueToken(client, context, {
      userId: user.id,
      type: 'reauthentication_token',
      relatesTo: email,
    });
  });
  outbox.post(accountMail('reauthenticate', { ...mailFrame(context), to: email, code }));
}

/** Redeems the code of sendReauthentication, once. Throws AuthError 422 `reauthentication_not_valid`. */
export async function redeemNonce(context: AuthContext, user: UserRecord, nonce: string): Promise<void> {
  const redeemed = await context.database.transaction((client) =>
    redeemCode(client, context, ['reauthentication_token'], {
      sentTo: user.email ?? user.phone ?? '',
      code: nonce,
      userId: user.id,
    }),
  );
  if (!redeemed) {
    throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
  }
}
