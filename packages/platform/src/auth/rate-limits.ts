import { createHash } from 'node:crypto';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRes,
  RateLimiterPostgres,
} from 'rate-limiter-flexible';
import type { Pool } from 'pg';
import type { RateLimitNumbers } from '../settings/platform-settings.ts';
import { AuthError, type AuthErrorCode } from './auth-error.ts';
import { network } from '../gateway/admission.ts';

interface LimiterOptions {
  keyPrefix: string;
  points: number;
  duration: number;
}

/** Creates one counter; in memory by default, in Postgres or Redis if several processes share the limits. */
export type LimiterFactory = (options: LimiterOptions) => RateLimiterAbstract;

const minute = 60;
const hour = 3_600;

/** Window of each per-address counter, in seconds. */
const windows = {
  signUp: 5 * minute,
  anonymous: hour,
  token: 5 * minute,
  updateUser: 5 * minute,
  verify: 5 * minute,
  recover: 5 * minute,
  resend: 5 * minute,
  otp: 5 * minute,
  oauth: 5 * minute,
  mfaChallenge: minute,
  mfaVerify: minute,
} as const;

type LimitedRoute = keyof typeof windows;

interface Attempt {
  succeeded(): Promise<void>;
}

export interface RateLimits {
  /** Counts one request; throws AuthError 429 `over_request_rate_limit` beyond the limit. */
  countRequest(route: LimitedRoute, address: string): Promise<void>;
  /**
   * Counts a password attempt before it is checked, so that simultaneous attempts cannot slip through; throws AuthError
   * 429. Non-existent accounts count alike. A correct password reverts the count, but still counts separately, since
   * checking takes a core for a while.
   */
  countPasswordAttempt(email: string, address: string): Promise<Attempt>;
  /** As for passwords, for the codes of an account's second factor. */
  countSecondStepAttempt(userId: string): Promise<Attempt>;
  /**
   * Counts a mail to an address, whether or not it has an account, so that the limit reveals nothing. With a kind,
   * mails of this kind to one address need a minimum interval. Throws AuthError 429 `over_email_send_rate_limit`.
   */
  countMail(kind: string | undefined, email: string): Promise<void>;
  /** The same for text messages; throws AuthError 429 `over_sms_send_rate_limit`. */
  countSms(kind: string, phone: string): Promise<void>;
}

const unlimited: RateLimits = {
  countRequest: async () => {},
  countPasswordAttempt: async () => ({ succeeded: async () => {} }),
  countSecondStepAttempt: async () => ({ succeeded: async () => {} }),
  countMail: async () => {},
  countSms: async () => {},
};

export function createRateLimits(
  numbers: RateLimitNumbers | undefined,
  makeLimiter: LimiterFactory = (options) => new RateLimiterMemory(options),
): RateLimits {
  if (!numbers) return unlimited;
  const routes = new Map(
    Object.entries(windows).map(([keyPrefix, duration]) => [
      keyPrefix,
      makeLimiter({ keyPrefix, points: numbers[keyPrefix as LimitedRoute], duration }),
    ]),
  );
  const make = (keyPrefix: string, points: number, duration: number) =>
    makeLimiter({ keyPrefix, points, duration });
  // One attacker is blocked early; the owner at another address only if attackers use many addresses.
  const failures = make('passwordFailures', numbers.passwordFailures, 15 * minute);
  const everywhere = make('accountFailures', numbers.accountFailures, 15 * minute);
  const rightOnes = make('accountSignIns', numbers.accountSignIns, 5 * minute);
  const secondStep = make('mfaFailures', numbers.mfaFailures, 15 * minute);
  const mails = make('mails', numbers.mailsPerHour, hour);
  const mailsTo = make('mailsTo', 1, numbers.sendIntervalSeconds);
  const messages = make('sms', numbers.smsPerHour, hour);
  const messagesTo = make('smsTo', 1, numbers.sendIntervalSeconds);
  return {
    countRequest: async (route, address) => {
      const limiter = routes.get(route);
      if (limiter) await consume(limiter, network(address), tooMany.requests);
    },
    countPasswordAttempt: async (email, address) => {
      const account = digest(email);
      const pair = `${account} ${network(address)}`;
      const right = await rightOnes.get(account);
      if (right !== null && right.remainingPoints <= 0) throw refusal(right, tooMany.signIns);
      await consume(failures, pair, tooMany.passwords);
      await consume(everywhere, account, tooMany.passwords);
      return {
        succeeded: async () => {
          await failures.delete(pair);
          await everywhere.reward(account);
          await rightOnes.penalty(account);
        },
      };
    },
    countSecondStepAttempt: async (userId) => {
      await consume(secondStep, userId, tooMany.codes);
      return { succeeded: async () => void (await secondStep.reward(userId)) };
    },
    countMail: async (kind, email) => {
      if (kind !== undefined) await consume(mailsTo, digest(`${kind} ${email}`), tooMany.mails);
      await consume(mails, 'all', tooMany.mails);
    },
    countSms: async (kind, phone) => {
      await consume(messagesTo, digest(`${kind} ${phone}`), tooMany.messages);
      await consume(messages, 'all', tooMany.messages);
    },
  };
}

interface Refusal {
  code: AuthErrorCode;
  message: string;
}

const tooMany = {
  requests: {
    code: 'over_request_rate_limit',
    message: 'Too many requests from this address. Please wait and try again.',
  },
  passwords: {
    code: 'over_request_rate_limit',
    message: 'Too many wrong passwords for this account. Please wait and try again.',
  },
  signIns: {
    code: 'over_request_rate_limit',
    message: 'Too many sign-ins to this account. Please wait and try again.',
  },
  codes: {
    code: 'over_request_rate_limit',
    message: 'Too many wrong codes for this account. Please wait and try again.',
  },
  mails: {
    code: 'over_email_send_rate_limit',
    message: 'An email was just sent. Please wait before you request another one.',
  },
  messages: {
    code: 'over_sms_send_rate_limit',
    message: 'A message was just sent. Please wait before you request another one.',
  },
} as const satisfies Record<string, Refusal>;

async function consume(limiter: RateLimiterAbstract, key: string, refused: Refusal): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (cause) {
    if (!(cause instanceof RateLimiterRes)) throw cause;
    throw refusal(cause, refused);
  }
}

function refusal({ msBeforeNext }: RateLimiterRes, { code, message }: Refusal): AuthError {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new AuthError(429, code, message, { retryAfterSeconds });
}

/** Fixed length for any address, and keeps addresses out of the counter table. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Counters in the database, so that all processes of an installation count together. */
export function sharedLimiters(pool: Pool): LimiterFactory {
  let first = true;
  return (options) => {
    // One sweep of the table serves all limiters.
    const clearExpiredByTimeout = first;
    first = false;
    return new RateLimiterPostgres({
      ...options,
      storeClient: pool,
      storeType: 'pool',
      schemaName: 'auth',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout,
    });
  };
}
