import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import { normaliseEmail } from '../email-address.ts';
import { accountMail } from '../mail/account-mails.ts';
import { normalisePhone } from '../phone-number.ts';
import { findUserByEmail, findUserByPhone, insertUser } from '../user-record.ts';
import { mailFrame, type MailedReturn, outboxOf, prepareLink, sorts } from './mail-codes.ts';
import { smsCode, smsOf } from './sms-codes.ts';
import { insertPhoneUser } from './sign-up-by-phone.ts';

export interface OtpRequest {
  /** Whether an unknown address gets an account. */
  readonly createUser: boolean;
  readonly userMetadata: Readonly<Record<string, unknown>>;
}

/**
 * Mails a way in: a link and a code. An unknown address gets an account that the mail confirms. Where it may not, it is
 * answered alike and gets nothing; but where signing up tells anyway who has an account, AuthError 422 `otp_disabled`
 * is thrown.
 */
export async function mailSignIn(
  context: AuthContext,
  given: string,
  { createUser, userMetadata }: OtpRequest,
  back: MailedReturn,
): Promise<void> {
  const outbox = outboxOf(context);
  const { signUpEnabled, autoConfirm } = context.settings;
  const email = normaliseEmail(given);
  await context.limits.countMail('sign-in', email);
  const createdAt = new Date(context.now());
  const mail = await context.database.transaction(async (client) => {
    const made =
      createUser && signUpEnabled
        ? await insertUser(client, { email, passwordHash: null, confirmed: false, userMetadata, createdAt })
        : undefined;
    const user = await findUserByEmail(client, email);
    if (!user && signUpEnabled && autoConfirm) throw signUpsClosed();
    const kind = made ? 'confirmation' : 'signIn';
    const prepared = await prepareLink(client, context, kind, user, back);
    return user && accountMail(sorts[kind].mail, { ...mailFrame(context), to: email, ...prepared });
  });
  if (mail) outbox.post(mail);
}

/** The same by text message, with a code alone. */
export async function smsSignIn(
  context: AuthContext,
  given: string,
  { createUser, userMetadata }: OtpRequest,
): Promise<void> {
  smsOf(context);
  const { signUpEnabled, phoneAutoConfirm } = context.settings;
  const phone = normalisePhone(given);
  const createdAt = new Date(context.now());
  await smsCode(context, phone, 'phone_token', async (client) => {
    if (createUser && signUpEnabled) {
      await insertPhoneUser(client, { phone, passwordHash: null, userMetadata, createdAt });
    }
    const user = await findUserByPhone(client, phone);
    if (!user && signUpEnabled && phoneAutoConfirm) throw signUpsClosed();
    return user;
  });
}

function signUpsClosed(): AuthError {
  return new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
}
