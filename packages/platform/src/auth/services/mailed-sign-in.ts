import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import { normaliseEmail } from '../email-address.ts';
import { normalisePhone } from '../phone-number.ts';
import { findUserByEmail, findUserByPhone, insertUser } from '../user-record.ts';
import { mailConfirmation, type MailedReturn, mailLink, outboxOf } from './mail-codes.ts';
import { smsCode, smsOf } from './sms-codes.ts';
import { insertPhoneUser } from './sign-up-by-phone.ts';

export interface OtpRequest {
  /** Whether an unknown address gets an account. */
  readonly createUser: boolean;
  readonly userMetadata: Readonly<Record<string, unknown>>;
}

function signUpsClosed(): AuthError {
  return new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
}

/**
 * Mails a way in: a link and a code. An unknown address gets an account that the mail confirms. Throws AuthError 422
 * `otp_disabled` where it may not.
 */
export async function mailSignIn(
  context: AuthContext,
  given: string,
  { createUser, userMetadata }: OtpRequest,
  back: MailedReturn,
): Promise<void> {
  outboxOf(context);
  const email = normaliseEmail(given);
  await context.limits.countMail('sign-in', email);
  const known = await findUserByEmail(context.database.pool, email);
  if (known) {
    await mailLink(context, 'signIn', known, back);
    return;
  }
  if (!createUser || !context.settings.signUpEnabled) throw signUpsClosed();
  const createdAt = new Date(context.now());
  const made = await context.database.transaction((client) =>
    insertUser(client, { email, passwordHash: null, confirmed: false, userMetadata, createdAt }),
  );
  // Another request for the address was faster; its mail is on the way.
  if (made) await mailConfirmation(context, made, back);
}

/** The same by text message, with a code alone. */
export async function smsSignIn(
  context: AuthContext,
  given: string,
  { createUser, userMetadata }: OtpRequest,
): Promise<void> {
  smsOf(context);
  const phone = normalisePhone(given);
  let user = await findUserByPhone(context.database.pool, phone);
  if (!user) {
    if (!createUser || !context.settings.signUpEnabled) throw signUpsClosed();
    const createdAt = new Date(context.now());
    user = await context.database.transaction((client) =>
      insertPhoneUser(client, { phone, passwordHash: null, userMetadata, createdAt }),
    );
  }
  await smsCode(context, user, phone, 'phone_token');
}
