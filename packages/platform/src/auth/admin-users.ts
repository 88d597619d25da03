import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { accountData, factorAnswer, userAnswer } from './user-answer.ts';
import type { AuthContext } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { parseInput } from './request-input.ts';
import { addUser, changeUser, existing, type ManagedAttributes, removeUser } from './manage-users.ts';
import { ownFactor, removeFactor } from './verify-factor.ts';
import { listUserRecords } from './user-record.ts';

const bag = accountData.nullish();
const attributes = z.object({
  id: z.uuid().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  password_hash: z.string().max(1000).nullish(),
  email_confirm: z.boolean().nullish(),
  phone_confirm: z.boolean().nullish(),
  user_metadata: bag,
  app_metadata: bag,
  ban_duration: z.string().max(50).nullish(),
  /** Accounts have one role; operators use the secret key. */
  role: z.enum(['authenticated']).nullish(),
});
const positive = (max: number) =>
  z.preprocess(
    (input) => (input === '' ? undefined : input),
    z.coerce.number().int().min(1).max(max).optional(),
  );
const page = z.object({
  page: positive(1_000_000),
  per_page: positive(1_000),
  filter: z.string().max(255).optional(),
});
const userParameters = z.object({ userId: z.string(), factorId: z.string().optional() });
const removal = z.object({ should_soft_delete: z.boolean().nullish() });

export function adminUsers(app: FastifyInstance, context: AuthContext): void {
  const { pool } = context.database;
  const userIdOf = (input: unknown): string => {
    const { userId } = parseInput(userParameters, input);
    if (!z.uuid().safeParse(userId).success) {
      throw new AuthError(404, 'validation_failed', 'user_id must be an UUID');
    }
    return userId;
  };
  app.route({
    method: 'GET',
    url: '/admin/users',
    handler: async (request, reply) => {
      await requireOperator(context, request);
      const { page: number = 1, per_page: size = 50, filter = '' } = parseInput(page, request.query);
      const { users, total } = await listUserRecords(pool, {
        limit: size,
        offset: (number - 1) * size,
        filter,
      });
      const last = Math.max(1, Math.ceil(total / size));
      const filtered = filter === '' ? '' : `&filter=${encodeURIComponent(filter)}`;
      const link = (to: number, rel: string) =>
        `</admin/users?page=${to}&per_page=${size}${filtered}>; rel="${rel}"`;
      reply.header('x-total-count', total);
      reply.header(
        'link',
        [...(number < last ? [link(number + 1, 'next')] : []), link(last, 'last')].join(', '),
      );
      return { users: users.map(userAnswer), aud: 'authenticated' };
    },
  });
  app.route({
    method: 'POST',
    url: '/admin/users',
    handler: async (request) => {
      await requireOperator(context, request);
      return userAnswer(await addUser(context, attributesOf(request.body)));
    },
  });
  app.route({
    method: 'GET',
    url: '/admin/users/:userId',
    handler: async (request) => {
      await requireOperator(context, request);
      return userAnswer(await existing(pool, userIdOf(request.params)));
    },
  });
  app.route({
    method: 'PUT',
    url: '/admin/users/:userId',
    handler: async (request) => {
      await requireOperator(context, request);
      return userAnswer(await changeUser(context, userIdOf(request.params), attributesOf(request.body)));
    },
  });
  app.route({
    method: 'DELETE',
    url: '/admin/users/:userId',
    handler: async (request) => {
      await requireOperator(context, request);
      const { should_soft_delete: soft } = parseInput(removal, request.body);
      await removeUser(context, userIdOf(request.params), soft === true);
      return {};
    },
  });
  app.route({
    method: 'GET',
    url: '/admin/users/:userId/factors',
    handler: async (request) => {
      await requireOperator(context, request);
      return (await existing(pool, userIdOf(request.params))).factors.map(factorAnswer);
    },
  });
  app.route({
    method: 'DELETE',
    url: '/admin/users/:userId/factors/:factorId',
    handler: async (request) => {
      await requireOperator(context, request);
      const user = await existing(pool, userIdOf(request.params));
      const factor = ownFactor(user, parseInput(userParameters, request.params).factorId ?? '');
      await removeFactor(context, factor.id);
      return factorAnswer(factor);
    },
  });
}

function attributesOf(body: unknown): ManagedAttributes {
  const input = parseInput(attributes, body);
  return {
    id: input.id?.toLowerCase() || undefined,
    email: input.email || undefined,
    phone: input.phone || undefined,
    password: input.password ?? undefined,
    passwordHash: input.password_hash || undefined,
    emailConfirm: input.email_confirm ?? undefined,
    phoneConfirm: input.phone_confirm ?? undefined,
    userMetadata: input.user_metadata ?? undefined,
    appMetadata: input.app_metadata ?? undefined,
    banMs: input.ban_duration ? durationMs(input.ban_duration) : undefined,
  };
}

const unitMs: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const centuryMs = 100 * 365 * 24 * 3_600_000;

/** Parses `24h`, `1h30m` and the like; `none` is 0. */
function durationMs(text: string): number {
  if (text === 'none') return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new AuthError(400, 'validation_failed', 'A ban_duration is written like 24h or 1h30m, or none.');
  }
  const total = parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * (unitMs.get(unit ?? '') ?? 0),
    0,
  );
  return Math.min(total, centuryMs);
}

/**
 * Allows only the operator's own servers: the secret key, alone or repeated as the bearer, or a token-form key of that
 * role. A user's token sent with the secret key counts as a call of that user. Throws AuthError.
 */
export async function requireOperator(context: AuthContext, request: FastifyRequest): Promise<void> {
  const { apikey, authorization, 'user-agent': userAgent } = request.headers;
  const { role } = await context.callers.resolveCaller({
    apikey: typeof apikey === 'string' ? apikey : undefined,
    authorization,
    userAgent,
  });
  if (role === 'service_role') return;
  if (!authorization)
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  throw new AuthError(403, 'not_admin', 'User not allowed');
}
