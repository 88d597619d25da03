import type { AuthContext } from '../auth-context.ts';
import { normaliseEmail } from '../email-address.ts';
import { normalisePhone } from '../phone-number.ts';
import { findUserByEmail, findUserByPhone } from '../user-record.ts';
import {
  type MailedReturn,
  outboxOf,
  postEmailChange,
  prepareEmailChange,
  prepareSignUpMail,
} from './mail-codes.ts';
import { hasToken } from './one-time-tokens.ts';
import { smsCode, smsOf } from './sms-codes.ts';

/** Mails again what an account waits for; an account that waits for nothing, and nobody, get nothing for the same work. */
export async function resendMail(
  context: AuthContext,
  type: 'signup' | 'email_change',
  given: string,
  back: MailedReturn,
): Promise<void> {
  const outbox = outboxOf(context);
  const email = normaliseEmail(given);
  await context.limits.countMail(type, email);
  if (type === 'email_change') return resendEmailChange(context, email, back);
  const mail = await context.database.transaction(async (client) => {
    const user = await findUserByEmail(client, email);
    // A confirmed account waits where its owner has signed up once more.
    const asked = await hasToken(client, user?.id, 'confirmation_token');
    return prepareSignUpMail(client, context, user?.email_confirmed_at && !asked ? undefined : user, back);
  });
  if (mail) outbox.post(mail);
}

async function resendEmailChange(context: AuthContext, email: string, back: MailedReturn): Promise<void> {
  const { waiting, change, prepared } = await context.database.transaction(async (client) => {
    const user = await findUserByEmail(client, email);
    const waiting = Boolean(user?.email_change);
    const nobody = { id: crypto.randomUUID(), email, email_change: null };
    const change = { user: user && waiting ? user : nobody, newEmail: user?.email_change ?? email, back };
    return { waiting, change, prepared: await prepareEmailChange(client, context, change) };
  });
  if (waiting) postEmailChange(context, change, prepared);
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
    await smsCode(context, phone, 'phone_token', async () => (user?.phone_confirmed_at ? undefined : user));
    return;
  }
  const newPhone = user?.phone_change ?? phone;
  await smsCode(context, newPhone, 'phone_change_token', async () => (user?.phone_change ? user : undefined));
}
