import type { FastifyRequest } from 'fastify';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';

/**
 * Lets only the operator's own servers pass: the secret key, alone or repeated as the bearer, or a key in token form
 * for that role. A user's token beside the secret key is its user's call. Throws AuthError.
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
