import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { UserRecord } from '../user-record.ts';
import { issueToken } from './one-time-tokens.ts';

/** The messages' way out. Throws AuthError 422 `phone_provider_disabled` where phone numbers are of no use. */
export function smsOf({ settings, sms }: AuthContext): Outbox {
  if (!settings.phoneEnabled || !sms) {
    throw new AuthError(422, 'phone_provider_disabled', 'Phone numbers are disabled here.');
  }
  return sms;
}

/** Sends a code to the number of an account, or to the one it is about to get. */
export async function smsCode(
  context: AuthContext,
  user: Pick<UserRecord, 'id'> | undefined,
  phone: string,
  type: 'phone_token' | 'phone_change_token' | 'reauthentication_token',
): Promise<void> {
  const sms = smsOf(context);
  await context.limits.countSms(type, phone);
  const { code } = await context.database.transaction((client) =>
    issueToken(client, context, { userId: user?.id, type, relatesTo: phone }),
  );
  if (user) postCode(sms, context, phone, code);
}

/** Nobody waits for it, or the time taken would tell whether there is an account. */
export function postCode(sms: Outbox, { settings }: AuthContext, phone: string, code: string): void {
  sms.post({ to: phone, subject: 'code', text: `${code} is your ${settings.siteName} code.` });
}
