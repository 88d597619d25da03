import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { PlatformSettings } from '../settings/platform-settings.ts';
import type { ClientOrigin } from './auth-context.ts';
import { AuthError } from './auth-error.ts';

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
