import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { isSameKey } from '../credentials.ts';
import type { AuthContext } from './auth-context.ts';
import type { Queryable, UserRecord } from './user-record.ts';
import { AuthError } from './auth-error.ts';
import type { Outbox } from './mail/mailer.ts';

export type OneTimeTokenType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'reauthentication_token'
  | 'phone_token'
  | 'phone_change_token';

interface NewToken {
  /** Undefined: the same work is done and nothing is stored, so that timing reveals nothing. */
  userId: string | undefined;
  type: OneTimeTokenType;
  /** Address or number it is sent to; the token stops working when the account no longer has it. */
  relatesTo: string;
  flowId?: string | undefined;
}

export interface IssuedToken {
  token: string;
  code: string;
}

export interface RedeemedToken {
  user_id: string;
  token_type: OneTimeTokenType;
  relates_to: string;
  flow_id: string | null;
}

/** Wrong codes after which a mail's code is invalid; its link, which cannot be guessed, stays valid. */
const maxWrongCodes = 10;

/** Creates a link token and a code, replacing earlier ones of the kind. Only digests are stored. */
export async function issueToken(
  client: Queryable,
  context: AuthContext,
  { userId, type, relatesTo, flowId }: NewToken,
): Promise<IssuedToken> {
  // The prefix tells clients to exchange a code.
  const token = `${flowId === undefined ? '' : 'pkce_'}${randomBytes(28).toString('hex')}`;
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  const owner = userId ?? crypto.randomUUID();
  const now = context.now();
  // Only a transaction that has written something waits for the disk: for nobody, this is all that it writes.
  await client.query(`select pg_logical_emit_message(true, 'cellfolio', '')`);
  await client.query(`delete from auth.one_time_tokens where user_id = $1 and token_type = $2`, [
    owner,
    type,
  ]);
  await client.query(
    `insert into auth.one_time_tokens
       (id, user_id, token_type, token_hash, code_hash, relates_to, flow_id, created_at, expires_at)
     select $1, u.id, $3, $4, $5, $6, $7, $8, $9 from auth.users u where u.id = $2
     on conflict (user_id, token_type) do update set id = excluded.id, token_hash = excluded.token_hash,
       code_hash = excluded.code_hash, relates_to = excluded.relates_to, flow_id = excluded.flow_id,
       created_at = excluded.created_at, expires_at = excluded.expires_at, wrong_codes = 0`,
    [
      crypto.randomUUID(),
      owner,
      type,
      tokenHash(token),
      codeHash(context, owner, type, code),
      relatesTo,
      flowId ?? null,
      new Date(now),
      new Date(now + context.settings.mailLinkSeconds * 1000),
    ],
  );
  return { token, code };
}

/** Whether an unused token of that type exists; false without a user. */
export async function hasToken(
  client: Queryable,
  userId: string | undefined,
  type: OneTimeTokenType,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from auth.one_time_tokens where user_id = $1 and token_type = $2`,
    [userId ?? crypto.randomUUID(), type],
  );
  return rowCount === 1;
}

// A token is valid only for the account as it was when the mail was sent.
const stillTheirs = `
  u.id = t.user_id and u.deleted_at is null and (u.banned_until is null or u.banned_until <= $3) and t.relates_to =
    case t.token_type when 'email_change_token_new' then u.email_change when 'phone_change_token' then u.phone_change
      when 'phone_token' then u.phone else coalesce(u.email, u.phone) end`;

/** Redeems a link token, which works once. */
export async function redeemLink(
  client: Queryable,
  context: AuthContext,
  types: readonly OneTimeTokenType[],
  token: string,
): Promise<RedeemedToken | undefined> {
  const { rows } = await client.query<RedeemedToken>(
    `delete from auth.one_time_tokens t using auth.users u
     where t.token_hash = $1 and t.token_type = any($2) and t.expires_at > $3 and ${stillTheirs}
     returning t.user_id, t.token_type, t.relates_to, t.flow_id`,
    [tokenHash(token), types, new Date(context.now())],
  );
  return rows[0];
}

/**
 * Redeems a typed code, which works once. A wrong one is counted, so the caller's transaction must be committed even if
 * the result is undefined.
 */
export async function redeemCode(
  client: Queryable,
  context: AuthContext,
  types: readonly OneTimeTokenType[],
  { sentTo, code, userId }: { sentTo: string; code: string; userId?: string },
): Promise<RedeemedToken | undefined> {
  const { rows } = await client.query<RedeemedToken & { id: string; code_hash: string }>(
    `select t.id, t.user_id, t.token_type, t.relates_to, t.flow_id, t.code_hash
     from auth.one_time_tokens t join auth.users u on ${stillTheirs}
     where t.relates_to = $1 and t.token_type = any($2) and t.expires_at > $3 and t.wrong_codes < $4
       and t.code_hash is not null and ($5::uuid is null or t.user_id = $5)
     for update of t`,
    [sentTo, types, new Date(context.now()), maxWrongCodes, userId ?? null],
  );
  // Compares every row, so that the response time does not reveal which one matched.
  let fitting: (typeof rows)[number] | undefined;
  for (const row of rows) {
    if (isSameKey(codeHash(context, row.user_id, row.token_type, code), row.code_hash)) fitting = row;
  }
  if (!fitting) {
    await client.query(
      `update auth.one_time_tokens set wrong_codes = wrong_codes + 1 where id = any($1::uuid[])`,
      [rows.map(({ id }) => id)],
    );
    return undefined;
  }
  await client.query(`delete from auth.one_time_tokens where id = $1`, [fitting.id]);
  const { user_id, token_type, relates_to, flow_id } = fitting;
  return { user_id, token_type, relates_to, flow_id };
}

/** Plain digest: a link token has 224 random bits. */
function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Keyed and bound to its owner: a code has only a million values, and one table of digests must not fit all. */
function codeHash(context: AuthContext, userId: string, type: OneTimeTokenType, code: string): string {
  return createHmac('sha256', context.codeKey).update(`${userId} ${type} ${code}`).digest('hex');
}

/** Throws AuthError 422 `phone_provider_disabled` if phone numbers cannot be used. */
export function smsOf({ settings, sms }: AuthContext): Outbox {
  if (!settings.phoneEnabled || !sms) {
    throw new AuthError(422, 'phone_provider_disabled', 'Phone numbers are disabled here.');
  }
  return sms;
}

/**
 * Sends a code to the number of an account, or to its pending one. The owner is looked up in the transaction of the
 * code, after the rate limits; without an owner the same work is done and nothing is sent.
 */
export async function smsCode(
  context: AuthContext,
  phone: string,
  type: 'phone_token' | 'phone_change_token' | 'reauthentication_token',
  findUser: (client: Queryable) => Promise<Pick<UserRecord, 'id'> | undefined>,
): Promise<void> {
  const sms = smsOf(context);
  await context.limits.countSms(type, phone);
  const { code, user } = await context.database.transaction(async (client) => {
    const user = await findUser(client);
    return { user, ...(await issueToken(client, context, { userId: user?.id, type, relatesTo: phone })) };
  });
  if (user) postCode(sms, context, phone, code);
}

/** Not awaited: the time taken would reveal whether there is an account. */
export function postCode(sms: Outbox, { settings }: AuthContext, phone: string, code: string): void {
  sms.post({ to: phone, subject: 'code', text: `${code} is your ${settings.siteName} code.` });
}
