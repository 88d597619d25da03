import type { PoolClient } from 'pg';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AuthError } from './auth-error.ts';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import { confirmEmail, findUser, refreshProviders, type UserRecord } from './user-record.ts';
import { issueAuthCode } from './flow-state.ts';
import { type OneTimeTokenType, redeemCode, type RedeemedToken, redeemLink } from './one-time-tokens.ts';
import { beginSession, type SessionAnswer, sessionAnswer } from './sessions.ts';
import { normaliseEmail, normalisePhone } from './addresses.ts';
import { originOf, parseInput, redirectOf } from './request-input.ts';
import { sendRedirect, withError, withSession, withQuery } from './redirects.ts';

const verifyTypes = [
  'signup',
  'invite',
  'recovery',
  'magiclink',
  'email',
  'email_change',
  'sms',
  'phone_change',
] as const;
type VerifyType = (typeof verifyTypes)[number];

const tokensOf: Record<VerifyType, readonly OneTimeTokenType[]> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  recovery: ['recovery_token'],
  magiclink: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_new', 'email_change_token_current'],
  sms: ['phone_token'],
  phone_change: ['phone_change_token'],
};

const otherMailbox = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

type Proof = { type: VerifyType; tokenHash: string } | { type: VerifyType; code: string; sentTo: string };

type Verified =
  | { kind: 'session'; session: SessionAnswer }
  /** For the client that began with a challenge. */
  | { kind: 'code'; code: string }
  | { kind: 'halfway' };

/**
 * Redeems a mailed token, performs its action, and signs in. A wrong, used or expired one gives the same refusal:
 * AuthError 403 `otp_expired`. With `handOver`, a link of a client that began with a challenge returns the code for
 * that client to exchange. Throws AuthError 422 `email_exists` if the new address has been taken meanwhile.
 */
async function verify(
  context: AuthContext,
  proof: Proof,
  origin: ClientOrigin & { handOver: boolean },
): Promise<Verified> {
  const types = tokensOf[proof.type];
  const done = await context.database
    .transaction(async (client) => {
      const redeemed =
        'tokenHash' in proof
          ? await redeemLink(client, context, types, proof.tokenHash)
          : await redeemCode(client, context, types, proof);
      // Returned, not thrown: the count of wrong codes must be committed.
      if (!redeemed) return undefined;
      const user = await findUser(client, redeemed.user_id);
      if (!user) return undefined;
      if ((await settle(client, context, redeemed, user)) === 'halfway') return { kind: 'halfway' } as const;
      if (origin.handOver && 'tokenHash' in proof && proof.tokenHash.startsWith('pkce_')) {
        const code =
          redeemed.flow_id === null
            ? undefined
            : await issueAuthCode(client, context, redeemed.flow_id, redeemed.user_id);
        return code === undefined ? undefined : ({ kind: 'code', code } as const);
      }
      const begun = await beginSession(client, context, redeemed.user_id, { ...origin, method: 'otp' });
      return { kind: 'begun', begun } as const;
    })
    .catch((cause: unknown) => {
      // SQLSTATE 23505, unique_violation.
      if (cause instanceof Error && 'code' in cause && cause.code === '23505') {
        throw new AuthError(
          422,
          'email_exists',
          'A user with this email address has already been registered',
          { cause },
        );
      }
      throw cause;
    });
  if (!done) throw new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
  if (done.kind !== 'begun') return done;
  return { kind: 'session', session: await sessionAnswer(context, done.begun.user, done.begun.session) };
}

async function settle(
  client: PoolClient,
  context: AuthContext,
  { token_type: type }: RedeemedToken,
  user: UserRecord,
): Promise<'done' | 'halfway'> {
  const now = new Date(context.now());
  switch (type) {
    case 'confirmation_token':
      await confirmEmail(client, user.id, now);
      return 'done';
    case 'recovery_token':
      if (!user.email_confirmed_at) await removeUnverifiedSignIns(client, user.id, now);
      await confirmEmail(client, user.id, now);
      return 'done';
    case 'email_change_token_new':
    case 'email_change_token_current':
      return settleEmailChange(client, context, user, now);
    case 'phone_token':
      await client.query(
        `update auth.users set phone_confirmed_at = coalesce(phone_confirmed_at, $2), updated_at = $2 where id = $1`,
        [user.id, now],
      );
      return 'done';
    case 'phone_change_token':
      await client.query(
        `update auth.users set phone = phone_change, phone_change = null, phone_confirmed_at = $2, is_anonymous = false,
           updated_at = $2 where id = $1`,
        [user.id, now],
      );
      return 'done';
    case 'reauthentication_token':
      return 'done';
  }
}

/**
 * An unconfirmed account may have been made by a stranger who waits for the owner of the address: the stranger's
 * credentials and sessions end when the owner confirms.
 */
export async function removeUnverifiedSignIns(client: PoolClient, userId: string, now: Date): Promise<void> {
  await client.query(`update auth.users set encrypted_password = null, updated_at = $2 where id = $1`, [
    userId,
    now,
  ]);
  await client.query(`delete from auth.sessions where user_id = $1`, [userId]);
  await client.query(`delete from auth.mfa_factors where user_id = $1`, [userId]);
}

async function settleEmailChange(
  client: PoolClient,
  context: AuthContext,
  user: UserRecord,
  now: Date,
): Promise<'done' | 'halfway'> {
  const newEmail = user.email_change;
  if (!newEmail) return 'done';
  const both = context.settings.secureEmailChange && user.email !== null;
  if (both && user.email_change_confirm_status === 0) {
    await client.query(
      `update auth.users set email_change_confirm_status = 1, updated_at = $2 where id = $1`,
      [user.id, now],
    );
    return 'halfway';
  }
  await applyEmailChange(client, user, newEmail, now);
  await confirmEmail(client, user.id, now);
  return 'done';
}

/** Sets an account's new address, adding an e-mail identity if it had none; voids the tokens in the old mailbox. */
export async function applyEmailChange(
  client: PoolClient,
  user: Pick<UserRecord, 'id'>,
  newEmail: string,
  now: Date,
): Promise<void> {
  await client.query(
    `update auth.users set email = $2, email_change = null, email_change_confirm_status = 0, is_anonymous = false,
       email_confirmed_at = $3, updated_at = $3,
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}'::jsonb) || jsonb_build_object('email', $2::text)
     where id = $1`,
    [user.id, newEmail, now],
  );
  const identity = { sub: user.id, email: newEmail, email_verified: false, phone_verified: false };
  await client.query(
    `insert into auth.identities (id, provider_id, user_id, identity_data, provider, created_at, updated_at)
     values ($1, $2::text, $3, $4, 'email', $5, $5)
     on conflict (provider, provider_id) do update set updated_at = excluded.updated_at,
       identity_data = auth.identities.identity_data || excluded.identity_data`,
    [crypto.randomUUID(), user.id, user.id, JSON.stringify(identity), now],
  );
  await client.query(`delete from auth.one_time_tokens where user_id = $1`, [user.id]);
  await refreshProviders(client, user.id, now);
}

const body = z.object({
  type: z.enum(verifyTypes),
  token: z.string().max(200).nullish(),
  token_hash: z.string().max(200).nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
});

export function postVerify(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/verify',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('verify', origin.address);
      const proof = proofOf(parseInput(body, request.body));
      const verified = await verify(context, proof, { ...origin, handOver: false });
      if (verified.kind === 'session') return verified.session;
      return { msg: otherMailbox, code: '200' };
    },
  });
}

function proofOf({ type, token, token_hash: tokenHash, email, phone }: z.infer<typeof body>): Proof {
  if (tokenHash) {
    if (token || email || phone) {
      throw new AuthError(400, 'validation_failed', 'Only the token_hash and type should be provided');
    }
    return { type, tokenHash };
  }
  if (!token) throw new AuthError(400, 'validation_failed', 'Verify requires a token or a token hash');
  if (Boolean(email) === Boolean(phone)) {
    throw new AuthError(
      400,
      'validation_failed',
      'Only an email address or phone number should be provided on verify',
    );
  }
  const byPhone = type === 'sms' || type === 'phone_change';
  if (byPhone !== Boolean(phone)) {
    throw new AuthError(
      400,
      'validation_failed',
      `Type ${type} requires ${byPhone ? 'a phone number' : 'an email address'}.`,
    );
  }
  return { type, code: token, sentTo: phone ? normalisePhone(phone) : normaliseEmail(email ?? '') };
}

const query = z.object({ token: z.string().max(200), type: z.enum(verifyTypes) });

export function getVerify(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/verify',
    config: { open: true },
    // Mail scanners request links with HEAD: that must not use up a link.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const origin = originOf(request, context.settings);
      const target = redirectOf(request, context);
      const parsed = query.safeParse(request.query);
      const handOver = parsed.success && parsed.data.token.startsWith('pkce_');
      try {
        await context.limits.countRequest('verify', origin.address);
        if (!parsed.success) throw expired();
        const { token: tokenHash, type } = parsed.data;
        const verified = await verify(context, { type, tokenHash }, { ...origin, handOver: true });
        if (verified.kind === 'code')
          return sendRedirect(reply, 303, withQuery(target, { code: verified.code }));
        if (verified.kind === 'session')
          return sendRedirect(reply, 303, withSession(target, verified.session, { type }));
        const url = new URL(target);
        url.hash = new URLSearchParams({ message: otherMailbox, sb: '' }).toString();
        return sendRedirect(reply, 303, handOver ? withQuery(url.href, { message: otherMailbox }) : url);
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
        const shown = error.code === 'otp_expired' ? expired() : error;
        return sendRedirect(reply, 303, withError(target, shown, { inQuery: handOver }));
      }
    },
  });
}

function expired(): AuthError {
  return new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
}
