import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { PlatformSettings } from '../settings/platform-settings.ts';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { codeChallengeOf } from './flow-state.ts';
import type { MailedReturn } from './mail-codes.ts';
import { allowedTarget } from './redirects.ts';

/** Body or query as its schema has it. Throws AuthError 400 `validation_failed`. */
export function parseInput<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.');
  throw new AuthError(
    400,
    'validation_failed',
    `${field ? `${field}: ` : ''}${issue?.message ?? 'not valid'}`,
    {
      cause: parsed.error,
    },
  );
}

/** The client's network address: behind a proxy only where the operator says that there is one. */
export function originOf(request: FastifyRequest, settings: PlatformSettings): ClientOrigin {
  const address = settings.trustProxy ? request.ip : request.socket.remoteAddress;
  return { address: address ?? '0.0.0.0', userAgent: request.headers['user-agent']?.slice(0, 512) };
}

/** Fields of a body that begins a sign-in to be ended elsewhere. */
export const challengeFields = {
  code_challenge: z.string().nullish(),
  code_challenge_method: z.string().nullish(),
};

const redirectQuery = z.object({ redirect_to: z.string().optional() });

/** Where the caller wants to be led in the end, as far as that is allowed: header, query, referrer, the site. */
export function redirectOf(request: FastifyRequest, { siteUrl, settings }: AuthContext): string {
  const query = redirectQuery.catch({}).parse(request.query).redirect_to;
  const { redirect_to: header, referer } = request.headers;
  const asked = (typeof header === 'string' && header) || query;
  if (asked) return allowedTarget(siteUrl, asked, settings.redirectAllowList);
  return allowedTarget(siteUrl, referer, settings.redirectAllowList);
}

/** Where a mail of this request leads, and whether a code must be exchanged there. Throws AuthError. */
export function mailedReturnOf(
  request: FastifyRequest,
  context: AuthContext,
  challenge: Parameters<typeof codeChallengeOf>[0],
): MailedReturn {
  return { redirectTo: redirectOf(request, context), challenge: codeChallengeOf(challenge) };
}

/** Fields of a body that a robot might send. */
export const captchaFields = {
  gotrue_meta_security: z.looseObject({ captcha_token: z.string().nullish() }).nullish(),
};

/** Turns robots away where the operator wants that; the operator's own servers pass. Throws AuthError. */
export async function refuseRobots(
  request: FastifyRequest,
  context: AuthContext,
  body: {
    readonly gotrue_meta_security?: { readonly captcha_token?: string | null | undefined } | null | undefined;
  },
): Promise<void> {
  if (!context.captcha) return;
  const { apikey } = request.headers;
  const role = await context.callers.roleOfKey({
    apikey: typeof apikey === 'string' ? apikey : undefined,
    userAgent: request.headers['user-agent'],
  });
  if (role === 'service_role') return;
  const { address } = originOf(request, context.settings);
  await context.captcha.check(body.gotrue_meta_security?.captcha_token ?? undefined, address);
}
