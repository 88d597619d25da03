import { isIPv6 } from 'node:net';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitNumbers } from '../settings/platform-settings.ts';
import { AuthError } from './auth-error.ts';

export interface LimiterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
}

/** Makes one counter; in memory by default, in Postgres or Redis where several processes share the limits. */
export type LimiterFactory = (options: LimiterOptions) => RateLimiterAbstract;

export type LimitedRoute = 'signUp' | 'token' | 'updateUser' | 'verify';

export interface RateLimits {
  /** Counts one request; throws AuthError 429 `over_request_rate_limit` past the limit. */
  countRequest(route: LimitedRoute, address: string): Promise<void>;
  /**
   * Counts a password attempt before it is checked, so that attempts sent at once cannot slip through; throws
   * AuthError 429. Accounts that do not exist are counted alike. A right password takes the count back.
   */
  countPasswordAttempt(email: string, address: string): Promise<{ succeeded(): Promise<void> }>;
}

const minutes = 60;

export function createRateLimits(
  numbers: RateLimitNumbers | undefined,
  makeLimiter: LimiterFactory = (options) => new RateLimiterMemory(options),
): RateLimits {
  if (!numbers) {
    return {
      countRequest: async () => {},
      countPasswordAttempt: async () => ({ succeeded: async () => {} }),
    };
  }
  const perRoute = (keyPrefix: LimitedRoute) =>
    makeLimiter({ keyPrefix, points: numbers[keyPrefix], duration: 5 * minutes });
  const routes: Record<LimitedRoute, RateLimiterAbstract> = {
    signUp: perRoute('signUp'),
    token: perRoute('token'),
    updateUser: perRoute('updateUser'),
    verify: perRoute('verify'),
  };
  // One stranger is stopped early; the owner at another address only once strangers at many are at work.
  const failures = makeLimiter({
    keyPrefix: 'passwordFailures',
    points: numbers.passwordFailures,
    duration: 15 * minutes,
  });
  const everywhere = makeLimiter({
    keyPrefix: 'accountFailures',
    points: numbers.accountFailures,
    duration: 15 * minutes,
  });
  return {
    countRequest: (route, address) =>
      consume(
        routes[route],
        network(address),
        'Too many requests from this address. Please wait and try again.',
      ),
    countPasswordAttempt: async (email, address) => {
      const pair = `${email} ${network(address)}`;
      const message = 'Too many wrong passwords for this account. Please wait and try again.';
      await consume(failures, pair, message);
      await consume(everywhere, email, message);
      return {
        succeeded: async () => {
          await failures.delete(pair);
          await everywhere.reward(email);
        },
      };
    },
  };
}

async function consume(limiter: RateLimiterAbstract, key: string, message: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (cause) {
    if (!(cause instanceof RateLimiterRes)) throw cause;
    const retryAfterSeconds = Math.max(1, Math.ceil(cause.msBeforeNext / 1000));
    throw new AuthError(429, 'over_request_rate_limit', message, { retryAfterSeconds });
  }
}

/** One customer usually holds a whole IPv6 /64: count the network, not each of its 2^64 addresses. */
export function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const right = tail === '' ? [] : tail.split(':');
    while (left.length + right.length < 8) left.push('0');
    left.push(...right);
  }
  return `${left
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
