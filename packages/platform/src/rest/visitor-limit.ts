import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type LimiterFactory } from '../auth/rate-limits.ts';
import { network } from '../gateway/network.ts';
import { RestError } from './rest-error.ts';

/** How much a visitor without an account may write: what they leave (contact messages) stays in the database. */
export interface VisitorLimit {
  /** Counts one writing request; throws RestError 429 past the limit. */
  countWrite(address: string): Promise<void>;
}

/** Seconds. */
const window = 300;

/** `writes` per network and five minutes. */
export function createVisitorLimit(
  writes: number,
  makeLimiter: LimiterFactory = (options) => new RateLimiterMemory(options),
): VisitorLimit {
  const limiter = makeLimiter({ keyPrefix: 'visitorWrites', points: writes, duration: window });
  return {
    countWrite: async (address) => {
      try {
        await limiter.consume(network(address));
      } catch (cause) {
        if (!(cause instanceof RateLimiterRes)) throw cause;
        throw new RestError(429, 'over_request_rate_limit', 'Too many requests from this network', {
          hint: 'Wait a few minutes, or sign in.',
          headers: { 'retry-after': String(Math.max(1, Math.ceil(cause.msBeforeNext / 1000))) },
        });
      }
    },
  };
}
