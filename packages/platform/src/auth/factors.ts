import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { AuthContext } from './auth-context.ts';
import { originOf, parseInput } from './request-input.ts';
import { authenticate, type SignedIn } from './sessions.ts';
import { unenrol, challengeFactor, verifyFactor } from './verify-factor.ts';
import { AuthError } from './auth-error.ts';
import { normalisePhone } from './addresses.ts';
import { findUser } from './user-record.ts';

const name = z.string().trim().max(100).nullish();
const enrolBody = z.discriminatedUnion('factor_type', [
  z.object({
    factor_type: z.literal('totp'),
    friendly_name: name,
    issuer: z.string().max(100).nullish(),
  }),
  z.object({ factor_type: z.literal('phone'), friendly_name: name, phone: z.string().default('') }),
]);
const verifyBody = z.object({
  challenge_id: z.string().max(100).default(''),
  code: z.string().max(100).default(''),
});
const parameters = z.object({ factorId: z.string() });

export function factors(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/factors',
    handler: async (request) => {
      const { address } = originOf(request, context.settings);
      await context.limits.countRequest('mfaChallenge', address);
      const signedIn = await authenticate(context, request.headers.authorization);
      const input = parseInput(enrolBody, request.body);
      const friendlyName = input.friendly_name || undefined;
      if (input.factor_type === 'phone') {
        return enrolPhone(context, signedIn, { friendlyName, phone: input.phone });
      }
      return enrolTotp(context, signedIn, { friendlyName, issuer: input.issuer ?? undefined });
    },
  });
  app.route({
    method: 'POST',
    url: '/factors/:factorId/challenge',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('mfaChallenge', origin.address);
      const signedIn = await authenticate(context, request.headers.authorization);
      const { factorId } = parseInput(parameters, request.params);
      return challengeFactor(context, signedIn, factorId, origin);
    },
  });
  app.route({
    method: 'POST',
    url: '/factors/:factorId/verify',
    handler: async (request) => {
      const origin = originOf(request, context.settings);
      await context.limits.countRequest('mfaVerify', origin.address);
      const signedIn = await authenticate(context, request.headers.authorization);
      const { factorId } = parseInput(parameters, request.params);
      const { challenge_id: challengeId, code } = parseInput(verifyBody, request.body);
      return verifyFactor(context, signedIn, { factorId, challengeId, code }, origin);
    },
  });
  app.route({
    method: 'DELETE',
    url: '/factors/:factorId',
    handler: async (request) => {
      const signedIn = await authenticate(context, request.headers.authorization);
      return unenrol(context, signedIn, parseInput(parameters, request.params).factorId);
    },
  });
}

const maxFactors = 10;
/** An unfinished enrolment expires after this time. */
const lapseMs = 300_000;

interface EnrolledTotp {
  id: string;
  type: 'totp';
  friendly_name?: string;
  totp: {
    qr_code: string;
    secret: string;
    uri: string;
  };
}

/** Starts enrolling an authenticator app; its first code completes it. Throws AuthError. */
async function enrolTotp(
  context: AuthContext,
  signedIn: SignedIn,
  { friendlyName, issuer }: { friendlyName: string | undefined; issuer: string | undefined },
): Promise<EnrolledTotp> {
  if (!context.settings.totpEnabled) {
    throw new AuthError(422, 'mfa_totp_enroll_not_enabled', 'MFA enroll is disabled for TOTP');
  }
  const secret = new Secret({ size: 20 });
  const { user } = signedIn;
  const site = new URL(context.siteUrl).host;
  const totp = new TOTP({
    // Apps expect a colon between the name and the address.
    issuer: (issuer || context.settings.siteName || site).replaceAll(':', ' '),
    label: user.email ?? user.phone ?? user.id,
    secret,
  });
  const id = await insertFactor(context, signedIn, {
    type: 'totp',
    friendlyName,
    secret: secret.base32,
    phone: undefined,
  });
  const uri = totp.toString();
  return {
    id,
    type: 'totp',
    ...(friendlyName !== undefined && { friendly_name: friendlyName }),
    totp: { qr_code: renderSVG(uri, { border: 2 }), secret: secret.base32, uri },
  };
}

interface EnrolledPhone {
  id: string;
  type: 'phone';
  friendly_name?: string;
  phone: string;
}

async function enrolPhone(
  context: AuthContext,
  signedIn: SignedIn,
  { friendlyName, phone: enteredPhone }: { friendlyName: string | undefined; phone: string },
): Promise<EnrolledPhone> {
  if (!context.settings.phoneEnabled || !context.sms) {
    throw new AuthError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
  }
  const phone = normalisePhone(enteredPhone);
  if (signedIn.user.factors.some((factor) => factor.phone === phone && factor.status === 'verified')) {
    throw new AuthError(
      422,
      'mfa_verified_factor_exists',
      'A verified phone factor already exists, unenroll the existing factor to continue',
    );
  }
  const id = await insertFactor(context, signedIn, { type: 'phone', friendlyName, secret: undefined, phone });
  return { id, type: 'phone', ...(friendlyName !== undefined && { friendly_name: friendlyName }), phone };
}

interface NewFactor {
  type: 'totp' | 'phone';
  friendlyName: string | undefined;
  secret: string | undefined;
  phone: string | undefined;
}

async function insertFactor(
  context: AuthContext,
  { user, claims }: SignedIn,
  factor: NewFactor,
): Promise<string> {
  const id = crypto.randomUUID();
  const now = context.now();
  await context.database
    .transaction(async (client) => {
      // Enrolments are serialized, or two concurrent ones would exceed the limit.
      await client.query(`select 1 from auth.users where id = $1 for update`, [user.id]);
      await client.query(
        `delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and created_at < $2`,
        [user.id, new Date(now - lapseMs)],
      );
      const current = await findUser(client, user.id);
      if (!current) throw new AuthError(403, 'user_not_found', 'The account no longer exists.');
      if (claims.aal !== 'aal2' && current.factors.some(({ status }) => status === 'verified')) {
        throw new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor');
      }
      if (current.factors.length >= maxFactors) {
        throw new AuthError(
          422,
          'too_many_enrolled_mfa_factors',
          'Maximum number of verified factors reached, unenroll to continue',
        );
      }
      await client.query(
        `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
         values ($1, $2, $3, $4, 'unverified', $5, $6, $7, $7)`,
        [
          id,
          user.id,
          factor.friendlyName ?? null,
          factor.type,
          factor.secret ?? null,
          factor.phone ?? null,
          new Date(now),
        ],
      );
    })
    .catch((cause: unknown) => {
      // SQLSTATE 23505, unique_violation: the index over the names.
      if (cause instanceof Error && 'code' in cause && cause.code === '23505') {
        throw new AuthError(
          422,
          'mfa_factor_name_conflict',
          `A factor with the friendly name "${factor.friendlyName ?? ''}" for this user already exists`,
          { cause },
        );
      }
      throw cause;
    });
  return id;
}
