import { createHash } from 'node:crypto';
import { apiHeaders } from '@cellfolio/contract';
import { bearerToken, isSameKey } from '@cellfolio/platform';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ApiFailure } from '../api-failure.ts';
import { ExpiringCache } from '../expiring-cache.ts';

/** What a route asks of its caller. A route that says nothing asks for the most. */
export type Access =
  /** Anybody, without a key. */
  | 'public'
  /** The API key alone: the public catalogue. */
  | 'key'
  /** Key and a signed-in user, or a user's personal key. */
  | 'member'
  /** Key and a signed-in user whose trial has not ended or who has a plan. */
  | 'explorer'
  /** Key and a signed-in user who operates the server. */
  | 'operator';

export interface Member {
  readonly userId: string;
}

/** The part of the platform that access is decided with. */
export interface Accounts {
  /** The user of a valid access token, or undefined for a token that is expired, forged or signed out. */
  userOf(token: string): Promise<Member | undefined>;
  /** The user of a personal API key, or undefined for one that is unknown or revoked. */
  ownerOf(apiKey: string): Promise<Member | undefined>;
  trialExpired(userId: string): Promise<boolean>;
  /** Whether the user operates this server. */
  isOperator(userId: string): Promise<boolean>;
}

export interface Credentials {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
}

/** Decides for every call of `/api` who is calling and whether they may. */
export class AccessPolicy {
  readonly #keys: readonly string[];
  readonly #accounts: Accounts;

  /** @param keys the keys of the web app; they open the catalogue and, with a token beside them, the rest */
  constructor(keys: readonly string[], accounts: Accounts) {
    this.#keys = keys;
    this.#accounts = accounts;
  }

  /** The member who calls, where the route asks for one. Throws ApiFailure 401 or 403. */
  async admit(access: Exclude<Access, 'public' | 'key'>, credentials: Credentials): Promise<Member>;
  async admit(access: Access, credentials: Credentials): Promise<Member | undefined>;
  async admit(access: Access, { apiKey, authorization }: Credentials): Promise<Member | undefined> {
    if (access === 'public') return undefined;
    // A personal key stands for its user alone, whatever else is sent.
    const owner = apiKey ? await this.#accounts.ownerOf(apiKey) : undefined;
    if (!owner) this.#checkKey(apiKey);
    if (access === 'key') return undefined;
    const member = owner ?? (await this.#member(authorization));
    if (access === 'explorer' && (await this.#accounts.trialExpired(member.userId))) {
      throw new ApiFailure(
        403,
        'trial_expired',
        'Your free trial has expired. Choose a plan to go on exploring.',
      );
    }
    if (access === 'operator' && !(await this.operates(member))) {
      throw new ApiFailure(
        403,
        'not_an_operator',
        'Only operators of this server may do this. An account is made one with: cellfolio user operator EMAIL.',
      );
    }
    return member;
  }

  /** Whether routes for operators admit the member. */
  operates({ userId }: Member): Promise<boolean> {
    return this.#accounts.isOperator(userId);
  }

  #checkKey(given: string | undefined): void {
    if (!given) throw new ApiFailure(401, 'missing_api_key', 'Send your API key in the header X-API-Key.');
    if (this.#keys.some((known) => isSameKey(given, known))) return;
    throw new ApiFailure(401, 'invalid_api_key', 'The API key in the header X-API-Key is not valid.');
  }

  async #member(authorization: string | undefined): Promise<Member> {
    const token = bearerToken(authorization);
    if (!token) {
      throw new ApiFailure(
        401,
        'missing_token',
        'Sign in first: send your access token as Authorization: Bearer.',
      );
    }
    const member = await this.#accounts.userOf(token);
    if (!member) {
      throw new ApiFailure(
        401,
        'invalid_token',
        'Your session is not valid or has ended. Please sign in again.',
      );
    }
    return member;
  }
}

/** How long an answer is believed: a sign-out or a new plan takes effect after this time at the latest. */
const memoryMilliseconds = 5000;

/**
 * Remembers for a few seconds what is known of a token and of a trial, so that a burst of calls by one
 * explorer does not ask the database twice for each.
 */
export function rememberAccounts(accounts: Accounts, now: () => number = Date.now): Accounts {
  const users = new ExpiringCache<Member | undefined>(memoryMilliseconds, now);
  const trials = new ExpiringCache<boolean>(memoryMilliseconds, now);
  return {
    // Tokens are secrets: only their digests are kept.
    userOf: (token) =>
      users.recall(createHash('sha256').update(token).digest('base64'), () => accounts.userOf(token)),
    // A revoked key must not open anything a moment longer.
    ownerOf: (apiKey) => accounts.ownerOf(apiKey),
    // Asked by few calls, and a right that was taken away must not open anything a moment longer.
    isOperator: (userId) => accounts.isOperator(userId),
    trialExpired: (userId) => trials.recall(userId, () => accounts.trialExpired(userId)),
  };
}

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
