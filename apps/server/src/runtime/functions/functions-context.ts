import { createHash } from 'node:crypto';
import { requestProblem } from '@cellfolio/contract';
import {
  bytesOf,
  FunctionError,
  type FunctionsContext as PlatformContext,
  type LimiterFactory,
  network,
} from '@cellfolio/platform';
import type { FastifyRequest } from 'fastify';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { z } from 'zod';
import type { FunctionLimitNumbers, FunctionsSettings } from './functions-settings.ts';

export interface FunctionsContext extends PlatformContext {
  settings: FunctionsSettings;
  limits: FunctionLimits;
}

/** Parses the JSON body; no body counts as `{}`. Throws FunctionError 400 or 415. */
export function jsonOf<T>(request: FastifyRequest, schema: z.ZodType<T>): T {
  const bytes = bytesOf(request);
  const type = request.headers['content-type']?.split(';')[0]!.trim().toLowerCase() ?? '';
  if (bytes.length > 0 && !['', 'application/json', 'text/plain'].includes(type)) {
    throw new FunctionError(415, 'unsupported_media_type', 'Send the request as application/json.');
  }
  let value: unknown = {};
  try {
    if (bytes.length > 0) value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new FunctionError(400, 'invalid_request', 'The body is not JSON.', { cause });
  }
  const parsed = schema.safeParse(value, { error: requestProblem });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.');
  const message = `${field ? `${field}: ` : ''}${issue?.message ?? 'The request cannot be read.'}`;
  throw new FunctionError(400, 'invalid_request', message, { cause: parsed.error });
}

/** Rate limits. Each throws FunctionError 429 `rate_limited` above its limit. */
interface FunctionLimits {
  /** Counts a contact message, for its network and for the whole site. */
  countContact(address: string): Promise<void>;
  countPayment(userId: string): Promise<void>;
  countAnalysis(userId: string): Promise<void>;
  /** Runs `work` unless too many analyses of the user are running. */
  limitConcurrency<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

/** Seconds. */
const hour = 3_600;

/** `makeLimiter` defaults to in-memory limiters; false: only the limit on concurrency applies. */
export function createFunctionLimits(
  numbers: FunctionLimitNumbers,
  makeLimiter: LimiterFactory | false = (options) => new RateLimiterMemory(options),
): FunctionLimits {
  const running = new Map<string, number>();
  const limitConcurrency: FunctionLimits['limitConcurrency'] = async (userId, work) => {
    const count = running.get(userId) ?? 0;
    if (count >= numbers.analysesAtOnce) {
      const message = 'Another analysis of yours is running. Try again when it has finished.';
      throw new FunctionError(429, 'rate_limited', message, { retryAfterSeconds: 5 });
    }
    running.set(userId, count + 1);
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
    return { countContact: unlimited, countPayment: unlimited, countAnalysis: unlimited, limitConcurrency };
  }
  const make = (keyPrefix: string, points: number) => makeLimiter({ keyPrefix, points, duration: hour });
  const contact = make('contactFrom', numbers.contactPerNetwork);
  const allContact = make('contact', numbers.contactPerHour);
  const payments = make('payments', numbers.paymentsPerUser);
  const analyses = make('analyses', numbers.analysesPerUser);
  return {
    countContact: async (address) => {
      const message = 'Too many messages have been sent. Please try again later.';
      // The network first: refused messages do not use up the limit of the site.
      await consume(contact, createHash('sha256').update(network(address)).digest('base64url'), message);
      await consume(allContact, 'all', message);
    },
    countPayment: (userId) =>
      consume(payments, userId, 'You have opened the payment page too many times. Please try again later.'),
    countAnalysis: (userId) =>
      consume(
        analyses,
        userId,
        'You have reached the maximum number of image analyses per hour. Please try again later.',
      ),
    limitConcurrency,
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
