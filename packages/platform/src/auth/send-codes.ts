import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { normaliseEmail, normalisePhone } from './addresses.ts';
import {
  captchaFields,
  challengeFields,
  mailedReturnOf,
  originOf,
  parseInput,
  refuseRobots,
} from './request-input.ts';
import {
  mailLink,
  outboxOf,
  mailFrame,
  type MailedReturn,
  prepareLink,
  sorts,
  postEmailChange,
  prepareEmailChange,
  prepareSignUpMail,
} from './mail-codes.ts';
import { findUserByEmail, findUserByPhone, insertUser } from './user-record.ts';
import { accountData } from './user-answer.ts';
import { accountMail } from './mail/account-mails.ts';
import { smsCode, smsOf, hasToken } from './one-time-tokens.ts';
import { insertPhoneUser } from './sign-up-by-phone.ts';

const recoverBody = z.object({ email: z.string().nullish(), ...challengeFields, ...captchaFields });

/** Mails a password-reset link; an address without an account gets the same response and no mail. */
export function postRecover(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/recover',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('recover', origin.address);
      outboxOf(context);
      const input = parseInput(recoverBody, request.body);
      if (!input.email) {
        throw new AuthError(400, 'validation_failed', 'Password recovery requires an email');
      }
      const email = normaliseEmail(input.email);
      const back = mailedReturnOf(request, context, input);
      await refuseRobots(request, context, input);
      await context.limits.countMail('recover', email);
      const user = await findUserByEmail(context.database.pool, email);
      await mailLink(context, 'recovery', user, back);
      return {};
    },
  });
}

const otpBody = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  create_user: z.boolean().nullish(),
  data: accountData.nullish(),
  channel: z.string().nullish(),
  ...challengeFields,
  ...captchaFields,
});

/** Passwordless sign-in. `/magiclink` is the older name, for e-mail only. */
export function postOtp(app: FastifyInstance, context: AuthContext): void {
  for (const url of ['/otp', '/magiclink']) {
    app.route({
      method: 'POST',
      url,
      handler: async (request) => {
        const origin = originOf(request, context.settings);
        await context.limits.countRequest('otp', origin.address);
        const input = parseInput(otpBody, request.body);
        const { email, phone } = input;
        if (email && phone) {
          throw new AuthError(
            400,
            'validation_failed',
            'Only an email address or phone number should be provided',
          );
        }
        if (!email && !phone) {
          throw new AuthError(400, 'validation_failed', 'One of email or phone must be set');
        }
        if (input.channel && input.channel !== 'sms') {
          throw new AuthError(400, 'validation_failed', 'Messages are sent by sms only.');
        }
        const back = mailedReturnOf(request, context, input);
        const wish = { createUser: input.create_user ?? true, userMetadata: input.data ?? {} };
        await refuseRobots(request, context, input);
        if (email) await mailSignIn(context, email, wish, back);
        else if (phone) await smsSignIn(context, phone, wish);
        return {};
      },
    });
  }
}

interface OtpRequest {
  createUser: boolean;
  userMetadata: Readonly<Record<string, unknown>>;
}

/**
 * Mails a sign-in link and code. An unknown address gets an account that the mail confirms. If it may not, the response
 * is the same and nothing is sent; but if sign-up reveals accounts anyway, throws AuthError 422 `otp_disabled`.
 */
async function mailSignIn(
  context: AuthContext,
  enteredEmail: string,
  { createUser, userMetadata }: OtpRequest,
  back: MailedReturn,
): Promise<void> {
  const outbox = outboxOf(context);
  const { signUpEnabled, autoConfirm } = context.settings;
  const email = normaliseEmail(enteredEmail);
  await context.limits.countMail('sign-in', email);
  const createdAt = new Date(context.now());
  const mail = await context.database.transaction(async (client) => {
    const created =
      createUser && signUpEnabled
        ? await insertUser(client, { email, passwordHash: null, confirmed: false, userMetadata, createdAt })
        : undefined;
    const user = await findUserByEmail(client, email);
    if (!user && signUpEnabled && autoConfirm) throw signUpsClosed();
    const kind = created ? 'confirmation' : 'signIn';
    const prepared = await prepareLink(client, context, kind, user, back);
    return user && accountMail(sorts[kind].mail, { ...mailFrame(context), to: email, ...prepared });
  });
  if (mail) outbox.post(mail);
}

/** The same by text message, with a code alone. */
async function smsSignIn(
  context: AuthContext,
  enteredPhone: string,
  { createUser, userMetadata }: OtpRequest,
): Promise<void> {
  smsOf(context);
  const { signUpEnabled, phoneAutoConfirm } = context.settings;
  const phone = normalisePhone(enteredPhone);
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

const resendBody = z.object({
  type: z.enum(['signup', 'email_change', 'sms', 'phone_change']),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  ...challengeFields,
  ...captchaFields,
});

/** Resends a pending confirmation; the response is the same if nothing is pending. */
export function postResend(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/resend',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('resend', origin.address);
      const input = parseInput(resendBody, request.body);
      const back = mailedReturnOf(request, context, input);
      const { type, email, phone } = input;
      if (type === 'signup' || type === 'email_change') {
        if (!email) throw missing(type, 'an email address');
        await refuseRobots(request, context, input);
        await resendMail(context, type, email, back);
      } else {
        if (!phone) throw missing(type, 'a phone number');
        await refuseRobots(request, context, input);
        await resendSms(context, type, phone);
      }
      return {};
    },
  });
}

function missing(type: string, what: string): AuthError {
  return new AuthError(400, 'validation_failed', `Type ${type} requires ${what}`);
}

/** Resends a pending mail; without an account or a pending change, does the same work and sends nothing. */
async function resendMail(
  context: AuthContext,
  type: 'signup' | 'email_change',
  enteredEmail: string,
  back: MailedReturn,
): Promise<void> {
  const outbox = outboxOf(context);
  const email = normaliseEmail(enteredEmail);
  await context.limits.countMail(type, email);
  if (type === 'email_change') return resendEmailChange(context, email, back);
  const mail = await context.database.transaction(async (client) => {
    const user = await findUserByEmail(client, email);
    // A confirmed account waits where its owner has signed up once more.
    const isPending = await hasToken(client, user?.id, 'confirmation_token');
    return prepareSignUpMail(
      client,
      context,
      user?.email_confirmed_at && !isPending ? undefined : user,
      back,
    );
  });
  if (mail) outbox.post(mail);
}

async function resendEmailChange(context: AuthContext, email: string, back: MailedReturn): Promise<void> {
  const { waiting, change, prepared } = await context.database.transaction(async (client) => {
    const user = await findUserByEmail(client, email);
    const waiting = Boolean(user?.email_change);
    const placeholder = { id: crypto.randomUUID(), email, email_change: null };
    const change = {
      user: user && waiting ? user : placeholder,
      newEmail: user?.email_change ?? email,
      back,
    };
    return { waiting, change, prepared: await prepareEmailChange(client, context, change) };
  });
  if (waiting) postEmailChange(context, change, prepared);
}

async function resendSms(
  context: AuthContext,
  type: 'sms' | 'phone_change',
  enteredPhone: string,
): Promise<void> {
  smsOf(context);
  const phone = normalisePhone(enteredPhone);
  const user = await findUserByPhone(context.database.pool, phone);
  if (type === 'sms') {
    await smsCode(context, phone, 'phone_token', async () => (user?.phone_confirmed_at ? undefined : user));
    return;
  }
  const newPhone = user?.phone_change ?? phone;
  await smsCode(context, newPhone, 'phone_change_token', async () => (user?.phone_change ? user : undefined));
}
