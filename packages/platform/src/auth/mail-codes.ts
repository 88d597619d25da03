import { AuthError } from './auth-error.ts';
import type { AuthContext } from './auth-context.ts';
import { accountMail, type MailKind } from './mail/account-mails.ts';
import type { Outbox, Mail } from './mail/mailer.ts';
import { findUser, type Queryable, type UserRecord } from './user-record.ts';
import { type CodeChallenge, beginFlow, type FlowMethod } from './flow-state.ts';
import { issueToken, type IssuedToken, type OneTimeTokenType } from './one-time-tokens.ts';

/** Return options of the client that requested a mail. */
export interface MailedReturn {
  /** Final target of the link; already checked against the allow list. */
  redirectTo: string;
  challenge: CodeChallenge | undefined;
}

type LinkType = 'signup' | 'invite' | 'recovery' | 'magiclink' | 'email_change';

interface Sort {
  token: OneTimeTokenType;
  mail: MailKind;
  link: LinkType;
  flow: FlowMethod;
  sentAt: 'confirmation_sent_at' | 'recovery_sent_at' | 'invited_at';
}

export const sorts = {
  confirmation: {
    token: 'confirmation_token',
    mail: 'confirm',
    link: 'signup',
    flow: 'email/signup',
    sentAt: 'confirmation_sent_at',
  },
  invitation: {
    token: 'confirmation_token',
    mail: 'invite',
    link: 'invite',
    flow: 'invite',
    sentAt: 'invited_at',
  },
  recovery: {
    token: 'recovery_token',
    mail: 'recover',
    link: 'recovery',
    flow: 'recovery',
    sentAt: 'recovery_sent_at',
  },
  signIn: {
    token: 'recovery_token',
    mail: 'sign-in',
    link: 'magiclink',
    flow: 'magiclink',
    sentAt: 'recovery_sent_at',
  },
} as const satisfies Record<string, Sort>;

export interface MailedLink extends IssuedToken {
  link: string;
}

/** Throws AuthError 404 `feature_disabled` if mail is not set up. */
export function outboxOf(context: AuthContext): Outbox {
  if (!context.outbox) throw new AuthError(404, 'feature_disabled', 'Mail is not set up here.');
  return context.outbox;
}

/**
 * Creates the token of a mail, in the caller's transaction. Without a user the same statements run and change nothing.
 */
export async function prepareLink(
  client: Queryable,
  context: AuthContext,
  kind: keyof typeof sorts,
  user: Pick<UserRecord, 'id' | 'email'> | undefined,
  { redirectTo, challenge }: MailedReturn,
): Promise<MailedLink> {
  const sort: Sort = sorts[kind];
  const flowId =
    challenge && (await beginFlow(client, context, { challenge, provider: 'email', method: sort.flow }));
  const issued = await issueToken(client, context, {
    userId: user?.id,
    type: sort.token,
    relatesTo: user?.email ?? '',
    flowId,
  });
  await client.query(`update auth.users set ${sort.sentAt} = $2 where id = $1`, [
    user?.id ?? crypto.randomUUID(),
    new Date(context.now()),
  ]);
  return { ...issued, link: linkTo(context, sort.link, issued.token, redirectTo) };
}

/** Mails a link and code; returns the stored user. Without a user nothing is sent, in the same time. */
export async function mailLink(
  context: AuthContext,
  kind: keyof typeof sorts,
  user: UserRecord | undefined,
  back: MailedReturn,
): Promise<UserRecord | undefined> {
  const outbox = outboxOf(context);
  const { prepared, stored } = await context.database.transaction(async (client) => {
    const preparedLink = await prepareLink(client, context, kind, user, back);
    return { prepared: preparedLink, stored: await findUser(client, user?.id ?? crypto.randomUUID()) };
  });
  if (stored?.email) {
    outbox.post(accountMail(sorts[kind].mail, { ...mailFrame(context), to: stored.email, ...prepared }));
  }
  return stored;
}

/** Minimum interval between sign-up mails to one address: repeated requests must not fill a stranger's mailbox. */
const signUpPauseMs = 60_000;

/**
 * Creates the mail for a sign-up, in the caller's transaction: it confirms a new account, and tells the owner of a
 * confirmed one and signs them in. Without a user, or shortly after the last mail, runs the same statements and returns
 * none.
 */
export async function prepareSignUpMail(
  client: Queryable,
  context: AuthContext,
  user: UserRecord | undefined,
  back: MailedReturn,
): Promise<Mail | undefined> {
  const sentAt = user?.confirmation_sent_at && new Date(user.confirmation_sent_at).getTime();
  const recipient = sentAt && context.now() - sentAt < signUpPauseMs ? undefined : user;
  const prepared = await prepareLink(client, context, 'confirmation', recipient, back);
  if (!recipient?.email) return undefined;
  const kind = recipient.email_confirmed_at ? 'has-account' : sorts.confirmation.mail;
  return accountMail(kind, { ...mailFrame(context), to: recipient.email, ...prepared });
}

interface AddressChange {
  user: Pick<UserRecord, 'id' | 'email' | 'email_change'>;
  newEmail: string;
  back: MailedReturn;
}

/** Creates a link for each mailbox that must agree to a change of address, in the caller's transaction. */
export async function prepareEmailChange(
  client: Queryable,
  context: AuthContext,
  { user, newEmail, back }: AddressChange,
): Promise<{ toNew: MailedLink; toCurrent: MailedLink | undefined }> {
  await beginEmailChange(client, context, user, newEmail);
  const change = { user, newEmail, back };
  const toNew = await changeLink(client, context, change, 'new');
  const both = context.settings.secureEmailChange && user.email !== null;
  return { toNew, toCurrent: both ? await changeLink(client, context, change, 'current') : undefined };
}

/** Creates the link for one of the two mailboxes; the other's stays valid if it belongs to the same change. */
export async function prepareOneMailbox(
  client: Queryable,
  context: AuthContext,
  change: AddressChange,
  mailbox: 'new' | 'current',
): Promise<MailedLink> {
  const { user, newEmail } = change;
  if (user.email_change !== newEmail) await beginEmailChange(client, context, user, newEmail);
  return changeLink(client, context, change, mailbox);
}

/** Discards everything from an earlier change. */
async function beginEmailChange(
  client: Queryable,
  context: AuthContext,
  user: AddressChange['user'],
  newEmail: string,
): Promise<void> {
  await client.query(
    `update auth.users set email_change = $2, email_change_sent_at = $3, email_change_confirm_status = 0, updated_at = $3
     where id = $1`,
    [user.id, newEmail, new Date(context.now())],
  );
  await client.query(
    `delete from auth.one_time_tokens
     where user_id = $1 and token_type in ('email_change_token_new', 'email_change_token_current')`,
    [user.id],
  );
}

async function changeLink(
  client: Queryable,
  context: AuthContext,
  { user, newEmail, back }: AddressChange,
  mailbox: 'new' | 'current',
): Promise<MailedLink> {
  const { challenge, redirectTo } = back;
  const flow = { challenge, provider: 'email', method: 'email_change' } as const;
  const flowId = challenge && (await beginFlow(client, context, flow));
  const issued = await issueToken(client, context, {
    userId: user.id,
    type: mailbox === 'new' ? 'email_change_token_new' : 'email_change_token_current',
    relatesTo: mailbox === 'new' ? newEmail : (user.email ?? ''),
    flowId,
  });
  return { ...issued, link: linkTo(context, 'email_change', issued.token, redirectTo) };
}

/** Sends the result of prepareEmailChange, after its transaction is committed. */
export function postEmailChange(
  context: AuthContext,
  { user, newEmail }: AddressChange,
  { toNew, toCurrent }: Awaited<ReturnType<typeof prepareEmailChange>>,
): void {
  const outbox = outboxOf(context);
  const frame = { ...mailFrame(context), newAddress: newEmail };
  outbox.post(accountMail('change', { ...frame, to: newEmail, ...toNew }));
  if (toCurrent) outbox.post(accountMail('change-from', { ...frame, to: user.email ?? '', ...toCurrent }));
}

function linkTo(context: AuthContext, type: LinkType, token: string, redirectTo: string): string {
  // Colons and slashes may stand in a query as they are, and people like to see where a link leads.
  const target = encodeURIComponent(redirectTo).replaceAll('%3A', ':').replaceAll('%2F', '/');
  return `${context.publicUrl}/auth/v1/verify?token=${token}&type=${type}&redirect_to=${target}`;
}

export function mailFrame({ settings }: AuthContext): {
  siteName: string;
  minutes: number;
} {
  return { siteName: settings.siteName, minutes: Math.round(settings.mailLinkSeconds / 60) };
}
