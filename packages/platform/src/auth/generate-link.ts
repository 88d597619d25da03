import type { PoolClient } from 'pg';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AuthError } from './auth-error.ts';
import type { AuthContext } from './auth-context.ts';
import { normaliseEmail } from './addresses.ts';
import { checkNewPassword, hashPassword } from './passwords.ts';
import { type UserAnswer, userAnswer, accountData } from './user-answer.ts';
import { findUser, findUserByEmail, insertUser, type UserRecord } from './user-record.ts';
import { type MailedLink, prepareLink, prepareOneMailbox, mailLink, outboxOf } from './mail-codes.ts';
import { parseInput, redirectOf } from './request-input.ts';
import { allowedTarget } from './redirects.ts';
import { requireOperator } from './admin-users.ts';

const linkKinds = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
] as const;
type LinkKind = (typeof linkKinds)[number];

interface LinkRequest {
  type: LinkKind;
  email: string;
  password: string | undefined;
  newEmail: string | undefined;
  userMetadata: Readonly<Record<string, unknown>>;
  /** Already checked against the allow list. */
  redirectTo: string;
}

type GeneratedLink = UserAnswer & {
  action_link: string;
  email_otp: string;
  hashed_token: string;
  redirect_to: string;
  verification_type: LinkKind;
};

/** Creates the link of a mail for an operator to pass on; no mail is sent. Throws AuthError. */
async function generateLink(context: AuthContext, request: LinkRequest): Promise<GeneratedLink> {
  const email = normaliseEmail(request.email);
  const back = { redirectTo: request.redirectTo, challenge: undefined };
  const isNew = await makeRoom(context, request, email);
  const { kind, link, stored } = await context.database.transaction(async (client) => {
    const user = await findUserByEmail(client, email);
    if (!user) throw new AuthError(404, 'user_not_found', 'User with this email not found');
    const prepared = await prepare(client, context, request, user, isNew);
    const after = (await findUser(client, user.id)) ?? user;
    return { ...prepared, stored: after };
  });
  return {
    ...userAnswer(stored),
    action_link: link.link,
    email_otp: link.code,
    hashed_token: link.token,
    redirect_to: back.redirectTo,
    verification_type: kind,
  };
}

/** Adds the account if the link type requires one; returns whether it did. */
async function makeRoom(context: AuthContext, request: LinkRequest, email: string): Promise<boolean> {
  const { type, password, userMetadata } = request;
  if (type === 'recovery' || type === 'email_change_current' || type === 'email_change_new') return false;
  if (type === 'signup') {
    checkNewPassword(password ?? '', context.settings.passwordMinLength);
  }
  const passwordHash =
    type === 'signup' ? await hashPassword(password ?? '', { cost: context.settings.passwordCost }) : null;
  const createdAt = new Date(context.now());
  const inserted = await context.database.transaction((client) =>
    insertUser(client, { email, passwordHash, confirmed: false, userMetadata, byOperator: true, createdAt }),
  );
  return inserted !== undefined;
}

async function prepare(
  client: PoolClient,
  context: AuthContext,
  { type, newEmail, redirectTo }: LinkRequest,
  user: UserRecord,
  isNew: boolean,
): Promise<{ kind: LinkKind; link: MailedLink }> {
  const back = { redirectTo, challenge: undefined };
  const exists = new AuthError(
    422,
    'email_exists',
    'A user with this email address has already been registered',
  );
  switch (type) {
    case 'signup':
    case 'invite':
      if (user.email_confirmed_at) throw exists;
      return {
        kind: type,
        link: await prepareLink(
          client,
          context,
          type === 'signup' ? 'confirmation' : 'invitation',
          user,
          back,
        ),
      };
    case 'magiclink':
      // The first link confirms a new account.
      return isNew
        ? { kind: 'signup', link: await prepareLink(client, context, 'confirmation', user, back) }
        : { kind: type, link: await prepareLink(client, context, 'signIn', user, back) };
    case 'recovery':
      return { kind: type, link: await prepareLink(client, context, 'recovery', user, back) };
    case 'email_change_current':
    case 'email_change_new': {
      if (!newEmail) throw new AuthError(400, 'validation_failed', 'new_email is required.');
      const next = normaliseEmail(newEmail);
      if (await findUserByEmail(client, next)) throw exists;
      const both = context.settings.secureEmailChange && user.email !== null;
      if (type === 'email_change_current' && !both) {
        throw new AuthError(
          400,
          'validation_failed',
          'Secure email change is disabled: only the new address confirms.',
        );
      }
      const change = { user, newEmail: next, back };
      const link = await prepareOneMailbox(
        client,
        context,
        change,
        type === 'email_change_new' ? 'new' : 'current',
      );
      return { kind: type, link };
    }
  }
}

const data = accountData.nullish();
const linkBody = z.object({
  type: z.enum(linkKinds),
  email: z.string(),
  password: z.string().nullish(),
  new_email: z.string().nullish(),
  data,
  redirect_to: z.string().nullish(),
});
const inviteBody = z.object({ email: z.string(), data });

export function adminLinks(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/admin/generate_link',
    handler: async (request) => {
      await requireOperator(context, request);
      const input = parseInput(linkBody, request.body);
      const { siteUrl, settings } = context;
      const redirectTo = input.redirect_to
        ? allowedTarget(siteUrl, input.redirect_to, settings.redirectAllowList)
        : redirectOf(request, context);
      return generateLink(context, {
        type: input.type,
        email: input.email,
        password: input.password ?? undefined,
        newEmail: input.new_email ?? undefined,
        userMetadata: input.data ?? {},
        redirectTo,
      });
    },
  });
  app.route({
    method: 'POST',
    url: '/invite',
    handler: async (request) => {
      await requireOperator(context, request);
      outboxOf(context);
      const input = parseInput(inviteBody, request.body);
      const email = normaliseEmail(input.email);
      const createdAt = new Date(context.now());
      const userMetadata = input.data ?? {};
      const inserted = await context.database.transaction((client) =>
        insertUser(client, {
          email,
          passwordHash: null,
          confirmed: false,
          userMetadata,
          byOperator: true,
          createdAt,
        }),
      );
      const user = inserted ?? (await findUserByEmail(context.database.pool, email));
      if (!user || user.email_confirmed_at) {
        throw new AuthError(
          422,
          'email_exists',
          'A user with this email address has already been registered',
        );
      }
      const back = { redirectTo: redirectOf(request, context), challenge: undefined };
      const invited = await mailLink(context, 'invitation', user, back);
      return userAnswer(invited ?? user);
    },
  });
}
