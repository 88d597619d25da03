import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type LimiterFactory } from '../auth/rate-limits.ts';
import { network } from '../gateway/network.ts';
import { FunctionError } from './function-error.ts';
import type { FunctionLimitNumbers } from './functions-settings.ts';

/** What may be asked how often. Each throws FunctionError 429 `rate_limited` past the limit. */
export interface FunctionLimits {
  /** Counts one message for the operator: from one network, and from everybody. */
  countContact(address: string): Promise<void>;
  countPayment(userId: string): Promise<void>;
  countAnalysis(userId: string): Promise<void>;
  /** Runs `work` unless too much of the user's is running. */
  whileFewRun<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

/** Seconds. */
const hour = 3_600;

/** @param makeLimiter in memory by default; false for no limit at all */
export function createFunctionLimits(
  numbers: FunctionLimitNumbers,
  makeLimiter: LimiterFactory | false = (options) => new RateLimiterMemory(options),
): FunctionLimits {
  const running = new Map<string, number>();
  const whileFewRun: FunctionLimits['whileFewRun'] = async (userId, work) => {
    const before = running.get(userId) ?? 0;
    if (before >= numbers.analysesAtOnce) {
      const message = 'Another analysis of yours is running. Wait for it, then try again.';
      throw new FunctionError(429, 'rate_limited', message, { retryAfterSeconds: 5 });
    }
    running.set(userId, before + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(userId) ?? 1) - 1;
      if (left > 0) running.set(userId, left);
      else running.delete(userId);
    }
  };
  if (makeLimiter === false) {
    const unlimited = async (): Promise<void> => {};
    return { countContact: unlimited, countPayment: unlimited, countAnalysis: unlimited, whileFewRun };
  }
  const make = (keyPrefix: string, points: number) => makeLimiter({ keyPrefix, points, duration: hour });
  const contact = make('contactFrom', numbers.contactPerNetwork);
  const allContact = make('contact', numbers.contactPerHour);
  const payments = make('payments', numbers.paymentsPerUser);
  const analyses = make('analyses', numbers.analysesPerUser);
  return {
    countContact: async (address) => {
      const message = 'Too many messages have been sent. Please try again later.';
      // The network first: one sender who is stopped takes nothing from the others' share.
      await consume(contact, createHash('sha256').update(network(address)).digest('base64url'), message);
      await consume(allContact, 'all', message);
    },
    countPayment: (userId) =>
      consume(payments, userId, 'Payments were opened too often. Please try again later.'),
    countAnalysis: (userId) =>
      consume(analyses, userId, 'You have analysed many images within the hour. Please try again later.'),
    whileFewRun,
  };
}

async function consume(limiter: RateLimiterAbstract, key: string, message: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (cause) {
    if (!(cause instanceof RateLimiterRes)) throw cause;
    const retryAfterSeconds = Math.max(1, Math.ceil(cause.msBeforeNext / 1000));
    throw new FunctionError(429, 'rate_limited', message, { retryAfterSeconds });
  }
}
