import type { FastifyRequest } from 'fastify';
import { bearerToken } from '../credentials.ts';
import type { Caller } from '../database/database.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { StorageContext } from './storage-context.ts';

/**
 * Who calls. Clients of resumable uploads, and of this service alone, send no key but a bearer, which may then be a key
 * or a token. Throws GatewayError or AuthError.
 */
export async function callerOf(
  { callers, publishableKey }: Pick<StorageContext, 'callers' | 'publishableKey'>,
  headers: FastifyRequest['headers'],
): Promise<Caller> {
  const { authorization, 'user-agent': userAgent } = headers;
  const given = headers['apikey'];
  const apikey = typeof given === 'string' && given !== '' ? given : undefined;
  const bearer = bearerToken(authorization);
  if (apikey !== undefined || bearer === undefined) {
    return callers.resolveCaller({ apikey, authorization, userAgent });
  }
  try {
    return { role: await callers.roleOfKey({ apikey: bearer, userAgent }) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return callers.resolveCaller({ apikey: publishableKey, authorization, userAgent });
  }
}

/** The id of a signed-in caller; null for a key alone. */
export function userIdOf(caller: Caller): string | null {
  const sub = caller.claims?.['sub'];
  return caller.role === 'authenticated' && typeof sub === 'string' ? sub : null;
}
