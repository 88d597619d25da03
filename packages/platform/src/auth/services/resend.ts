import type { AuthContext } from '../auth-context.ts';
import { normaliseEmail } from '../email-address.ts';
import { normalisePhone } from '../phone-number.ts';
import { findUserByEmail, findUserByPhone } from '../user-record.ts';
import {
  mailConfirmation,
  type MailedReturn,
  mailLink,
  outboxOf,
  postEmailChange,
  prepareEmailChange,
} from './mail-codes.ts';
import { smsCode, smsOf } from './sms-codes.ts';

/** Mails again what an account waits for; an account that waits for nothing, and nobody, get nothing. */
export async function resendMail(
  context: AuthContext,
  type: 'signup' | 'email_change',
  given: string,
  back: MailedReturn,
): Promise<void> {
  outboxOf(context);
  const email = normaliseEmail(given);
  await context.limits.countMail(type, email);
  const user = await findUserByEmail(context.database.pool, email);
  if (type === 'signup') {
    if (user && !user.email_confirmed_at) await mailConfirmation(context, user, back);
    // The same statements, for the same time.
    else await mailLink(context, 'confirmation', undefined, back);
    return;
  }
  if (!user?.email_change) return;
  const change = { user, newEmail: user.email_change, back };
  const prepared = await context.database.transaction((client) =>
    prepareEmailChange(client, context, change),
  );
  postEmailChange(context, change, prepared);
}

/** The same by text message. */
export async function resendSms(
  context: AuthContext,
  type: 'sms' | 'phone_change',
  given: string,
): Promise<void> {
  smsOf(context);
  const phone = normalisePhone(given);
  const user = await findUserByPhone(context.database.pool, phone);
  if (type === 'sms') {
    await smsCode(context, user?.phone_confirmed_at ? undefined : user, phone, 'phone_token');
    return;
  }
  await smsCode(
    context,
    user?.phone_change ? user : undefined,
    user?.phone_change ?? phone,
    'phone_change_token',
  );
}
