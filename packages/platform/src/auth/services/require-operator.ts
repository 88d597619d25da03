import type { FastifyRequest } from 'fastify';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';

/** Lets only the operator's own servers pass: the secret key, or a token of ours for that role. Throws AuthError. */
export async function requireOperator(context: AuthContext, request: FastifyRequest): Promise<void> {
  const { apikey, authorization, 'user-agent': userAgent } = request.headers;
  if (!authorization)
    throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  const key = /^bearer\s+(\S+)$/i.exec(authorization)?.[1];
  // The bearer must be the key itself: a user's token beside it would make every call an administrator's.
  if (typeof apikey === 'string' && key === apikey) {
    if ((await context.callers.roleOfKey({ apikey, userAgent })) === 'service_role') return;
  } else {
    await context.callers.resolveCaller({
      apikey: typeof apikey === 'string' ? apikey : undefined,
      authorization,
      userAgent,
    });
  }
  throw new AuthError(403, 'not_admin', 'User not allowed');
}
