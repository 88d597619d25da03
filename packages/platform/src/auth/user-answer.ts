import { z } from 'zod';
import type { FactorRecord, UserRecord } from './user-record.ts';
import { AuthError } from './auth-error.ts';

/** An identity as sent to clients: `identity_id` is the row, `id` the provider's identifier of the user. */
interface IdentityAnswer {
  identity_id: string;
  id: string;
  user_id: string;
  identity_data: Readonly<Record<string, unknown>>;
  provider: string;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
  email?: string;
}

interface FactorAnswer {
  id: string;
  friendly_name?: string;
  factor_type: 'totp' | 'phone';
  status: 'unverified' | 'verified';
  phone?: string;
  last_challenged_at?: string;
  created_at: string;
  updated_at: string;
}

/** A user as sent to clients; missing times are left out, times are ISO 8601 in UTC. */
export interface UserAnswer {
  id: string;
  aud: string;
  role: string;
  email: string;
  phone: string;
  email_confirmed_at?: string;
  phone_confirmed_at?: string;
  confirmed_at?: string;
  invited_at?: string;
  confirmation_sent_at?: string;
  recovery_sent_at?: string;
  email_change_sent_at?: string;
  new_email?: string;
  new_phone?: string;
  last_sign_in_at?: string;
  banned_until?: string;
  app_metadata: Readonly<Record<string, unknown>>;
  user_metadata: Readonly<Record<string, unknown>>;
  identities: readonly IdentityAnswer[];
  factors?: readonly FactorAnswer[];
  created_at: string;
  updated_at: string;
  is_anonymous: boolean;
}

export function userAnswer(user: UserRecord): UserAnswer {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email ?? '',
    phone: user.phone ?? '',
    ...(user.email_confirmed_at && { email_confirmed_at: iso(user.email_confirmed_at) }),
    ...(user.phone_confirmed_at && { phone_confirmed_at: iso(user.phone_confirmed_at) }),
    ...((user.email_confirmed_at ?? user.phone_confirmed_at) && {
      confirmed_at: iso(user.email_confirmed_at ?? user.phone_confirmed_at ?? ''),
    }),
    ...(user.invited_at && { invited_at: iso(user.invited_at) }),
    ...(user.confirmation_sent_at && { confirmation_sent_at: iso(user.confirmation_sent_at) }),
    ...(user.recovery_sent_at && { recovery_sent_at: iso(user.recovery_sent_at) }),
    ...(user.email_change && {
      new_email: user.email_change,
      ...(user.email_change_sent_at && { email_change_sent_at: iso(user.email_change_sent_at) }),
    }),
    ...(user.phone_change && { new_phone: user.phone_change }),
    ...(user.last_sign_in_at && { last_sign_in_at: iso(user.last_sign_in_at) }),
    ...(user.banned_until && { banned_until: iso(user.banned_until) }),
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    identities: user.identities.map((identity) => ({
      identity_id: identity.id,
      id: identity.provider_id,
      user_id: identity.user_id,
      identity_data: identity.identity_data,
      provider: identity.provider,
      last_sign_in_at: identity.last_sign_in_at && iso(identity.last_sign_in_at),
      created_at: iso(identity.created_at),
      updated_at: iso(identity.updated_at),
      ...(typeof identity.identity_data.email === 'string' && { email: identity.identity_data.email }),
    })),
    ...(user.factors.length > 0 && { factors: user.factors.map(factorAnswer) }),
    created_at: iso(user.created_at),
    updated_at: iso(user.updated_at),
    is_anonymous: user.is_anonymous,
  };
}

export function factorAnswer(factor: FactorRecord): FactorAnswer {
  return {
    id: factor.id,
    ...(factor.friendly_name !== null && { friendly_name: factor.friendly_name }),
    factor_type: factor.factor_type,
    status: factor.status,
    ...(factor.phone !== null && { phone: factor.phone }),
    ...(factor.last_challenged_at && { last_challenged_at: iso(factor.last_challenged_at) }),
    created_at: iso(factor.created_at),
    updated_at: iso(factor.updated_at),
  };
}

function iso(time: Date | string): string {
  return new Date(time).toISOString();
}

/**
 * Account data goes into every access token, and servers refuse headers beyond 16 kB: with more data than this, the
 * account could not make calls.
 */
const maxBytes = 8_000;
/** Deeper values overflow the stack of recursive code, here and in the database. */
const maxDepth = 20;

const message = `Account data can be ${maxBytes} bytes long and ${maxDepth} levels deep at most.`;

// name-dictionary: what a user says of an account, without __proto__
export const accountData = z.record(z.string(), z.unknown()).refine(fits, message);

/** Throws AuthError 400 `validation_failed` if merging has made the data too large. */
export function checkAccountData(data: Readonly<Record<string, unknown>> | null): void {
  if (!fits(data ?? {})) throw new AuthError(400, 'validation_failed', message);
}

function fits(data: unknown): boolean {
  return !isDeeperThan(data, maxDepth) && Buffer.byteLength(JSON.stringify(data)) <= maxBytes;
}

/** Iterates level by level, since recursion fails on deep values. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < levels; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return level.some((one) => typeof one === 'object' && one !== null);
}
