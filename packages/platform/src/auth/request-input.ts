import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { PlatformSettings } from '../settings/platform-settings.ts';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { codeChallengeOf } from './flow-state.ts';
import type { MailedReturn } from './mail-codes.ts';
import { allowedTarget } from './redirects.ts';

/** Parses a body or query. Throws AuthError 400 `validation_failed`. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input ?? {});
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

/** Client's network address: read from proxy headers only if the operator declares a proxy. */
export function originOf(request: FastifyRequest, settings: PlatformSettings): ClientOrigin {
  const address = settings.trustProxy ? request.ip : request.socket.remoteAddress;
  return { address: address ?? '0.0.0.0', userAgent: request.headers['user-agent']?.slice(0, 512) };
}

export const challengeFields = {
  code_challenge: z.string().nullish(),
  code_challenge_method: z.string().nullish(),
};

const redirectQuery = z.object({ redirect_to: z.string().optional() });

/** The caller's return target, if allowed, from header, query, referrer, or else the site. */
export function redirectOf(request: FastifyRequest, { siteUrl, settings }: AuthContext): string {
  const query = redirectQuery.catch({}).parse(request.query).redirect_to;
  const { redirect_to: header, referer } = request.headers;
  const requested = (typeof header === 'string' && header) || query;
  if (requested) return allowedTarget(siteUrl, requested, settings.redirectAllowList);
  return allowedTarget(siteUrl, referer, settings.redirectAllowList);
}

/** Target of a mail's link, and whether a code must be exchanged there. Throws AuthError. */
export function mailedReturnOf(
  request: FastifyRequest,
  context: AuthContext,
  challenge: Parameters<typeof codeChallengeOf>[0],
): MailedReturn {
  return { redirectTo: redirectOf(request, context), challenge: codeChallengeOf(challenge) };
}

export const captchaFields = {
  gotrue_meta_security: z.looseObject({ captcha_token: z.string().nullish() }).nullish(),
};

/** Requires a captcha if configured; the operator's own servers are exempt. Throws AuthError. */
export async function refuseRobots(
  request: FastifyRequest,
  context: AuthContext,
  body: {
    gotrue_meta_security?: { captcha_token?: string | null | undefined } | null | undefined;
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
