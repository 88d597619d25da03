import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Queryable, UserRecord } from '../user-record.ts';
import { issueToken } from './one-time-tokens.ts';

/** The messages' way out. Throws AuthError 422 `phone_provider_disabled` where phone numbers are of no use. */
export function smsOf({ settings, sms }: AuthContext): Outbox {
  if (!settings.phoneEnabled || !sms) {
    throw new AuthError(422, 'phone_provider_disabled', 'Phone numbers are disabled here.');
  }
  return sms;
}

/**
 * Sends a code to the number of an account, or to the one it is about to get. Whose it is is asked in the transaction of
 * the code, once the limits are known to allow it; for nobody the same is done and nothing is sent.
 */
export async function smsCode(
  context: AuthContext,
  phone: string,
  type: 'phone_token' | 'phone_change_token' | 'reauthentication_token',
  whose: (client: Queryable) => Promise<Pick<UserRecord, 'id'> | undefined>,
): Promise<void> {
  const sms = smsOf(context);
  await context.limits.countSms(type, phone);
  const { code, user } = await context.database.transaction(async (client) => {
    const user = await whose(client);
    return { user, ...(await issueToken(client, context, { userId: user?.id, type, relatesTo: phone })) };
  });
  if (user) postCode(sms, context, phone, code);
}

/** Nobody waits for it, or the time taken would tell whether there is an account. */
export function postCode(sms: Outbox, { settings }: AuthContext, phone: string, code: string): void {
  sms.post({ to: phone, subject: 'code', text: `${code} is your ${settings.siteName} code.` });
}
