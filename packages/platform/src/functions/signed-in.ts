import type { FastifyRequest } from 'fastify';
import type { SignedInUser } from './function-access.ts';

const users = new WeakMap<FastifyRequest, SignedInUser>();

/** Keeps who was admitted with the request. */
export function keepUser(request: FastifyRequest, user: SignedInUser | undefined): void {
  if (user) users.set(request, user);
}

/** The user of a request to a function that admits users only. */
export function userOf(request: FastifyRequest): SignedInUser {
  const user = users.get(request);
  if (!user) throw new Error(`${request.url} needs a user but admits others`);
  return user;
}

/** The user of a request to a function that admits everyone; undefined for a visitor. */
export function visitorOf(request: FastifyRequest): SignedInUser | undefined {
  return users.get(request);
}
