import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import { normalisePhone } from '../phone-number.ts';
import { findUser } from '../user-record.ts';
import type { SignedIn } from './authenticate.ts';

const maxFactors = 10;
/** An enrolment that is not finished lapses after this long. */
const lapseMs = 300_000;

export interface EnrolRequest {
  readonly friendlyName: string | undefined;
  readonly issuer: string | undefined;
}

export interface EnrolledTotp {
  readonly id: string;
  readonly type: 'totp';
  readonly friendly_name?: string;
  readonly totp: {
    /** SVG text. */
    readonly qr_code: string;
    /** Base32. */
    readonly secret: string;
    /** `otpauth://…` */
    readonly uri: string;
  };
}

/** Begins to set up an authenticator app; its first code finishes it. Throws AuthError. */
export async function enrolTotp(
  context: AuthContext,
  signedIn: SignedIn,
  { friendlyName, issuer }: EnrolRequest,
): Promise<EnrolledTotp> {
  if (!context.settings.totpEnabled) {
    throw new AuthError(422, 'mfa_totp_enroll_not_enabled', 'MFA enroll is disabled for TOTP');
  }
  const secret = new Secret({ size: 20 });
  const { user } = signedIn;
  const site = new URL(context.siteUrl).host;
  const totp = new TOTP({
    // The name and the address are parted by a colon, which apps look for.
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

export interface EnrolledPhone {
  readonly id: string;
  readonly type: 'phone';
  readonly friendly_name?: string;
  readonly phone: string;
}

/** The same for a phone that gets codes as text messages. */
export async function enrolPhone(
  context: AuthContext,
  signedIn: SignedIn,
  { friendlyName, phone: given }: { readonly friendlyName: string | undefined; readonly phone: string },
): Promise<EnrolledPhone> {
  if (!context.settings.phoneEnabled || !context.sms) {
    throw new AuthError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
  }
  const phone = normalisePhone(given);
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
  readonly type: 'totp' | 'phone';
  readonly friendlyName: string | undefined;
  readonly secret: string | undefined;
  readonly phone: string | undefined;
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
      // One enrolment after another, or two at once would pass the limit.
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
