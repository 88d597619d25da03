import type { FastifyRequest } from 'fastify';
import type { Caller } from '../database/database.ts';
import type { StorageContext } from './storage-context.ts';

/** Who calls. A key may come as bearer alone, as clients of this service have it. Throws GatewayError or AuthError. */
export async function callerOf(
  context: StorageContext,
  headers: Pick<FastifyRequest, 'headers'>['headers'],
): Promise<Caller> {
  const { authorization } = headers;
  const given = headers['apikey'];
  const apikey = typeof given === 'string' && given !== '' ? given : bearerOf(authorization);
  return context.callers.resolveCaller({ apikey, authorization, userAgent: headers['user-agent'] });
}

/** The id of a signed-in caller; null for a key alone. */
export function userIdOf(caller: Caller): string | null {
  const sub = caller.claims?.['sub'];
  return caller.role === 'authenticated' && typeof sub === 'string' ? sub : null;
}

function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer\s+(\S+)$/i.exec(authorization)?.[1];
}
