import { apiHeaders } from '@cellfolio/contract';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Access, AccessPolicy, Credentials, Member } from './access-policy.ts';
import { ApiFailure } from '../api-failure.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; `explorer` where it says nothing. */
    access?: Access;
  }
  interface FastifyRequest {
    member: Member | undefined;
  }
}

/** One user in one browser tab: the dataset and the cells that they have open are kept for it. */
export interface TabSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** Lets a request reach its handler only when the route's access allows it. */
export const accessPlugin = fastifyPlugin<{ policy: AccessPolicy }>(async (app, { policy }) => {
  app.decorateRequest('member', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access ?? 'explorer';
    // What a member is told is theirs. A cache on the way does not know our header of keys; routes may say otherwise.
    if (access !== 'public' && access !== 'key') reply.header('cache-control', 'no-store');
    request.member = await policy.admit(access, credentialsOf(request));
  });
});

/** What a call says of who is calling. */
export function credentialsOf(request: FastifyRequest): Credentials {
  return {
    apiKey: single(request, apiHeaders.apiKey),
    authorization: request.headers.authorization,
  };
}

/** The user and browser tab of a call. Throws ApiFailure where the tab's name cannot be one. */
export function tabSessionOf(request: FastifyRequest): TabSession {
  const { userId } = memberOf(request);
  const sessionId = single(request, apiHeaders.session) ?? 'default';
  if (!/^[\w-]{1,64}$/.test(sessionId)) {
    throw new ApiFailure(400, 'invalid_session_id', 'X-Session-Id must be 1 to 64 letters, digits, - or _.');
  }
  return { userId, sessionId };
}

/** The user of a call whose route asks for one. */
export function memberOf({ member, url }: FastifyRequest): Member {
  if (!member) throw new Error(`${url} needs a member but its route does not ask for one`);
  return member;
}

function single(request: FastifyRequest, name: string): string | undefined {
  // name-dictionary: names of our own headers
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
