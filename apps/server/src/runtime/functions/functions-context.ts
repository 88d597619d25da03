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

/** What the functions of the product work with. */
export interface FunctionsContext extends PlatformContext {
  readonly settings: FunctionsSettings;
  readonly limits: FunctionLimits;
}

/** The JSON body as its schema has it; no body is `{}`. Throws FunctionError 400 or 415. */
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
