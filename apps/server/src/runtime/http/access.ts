import { createHash, randomUUID } from 'node:crypto';
import { apiHeaders, type KeyScope, keyScopes } from '@cellfolio/contract';
import { bearerToken, isSameKey, network } from '@cellfolio/platform';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ApiFailure } from '../api-failure.ts';
import { ExpiringCache } from '../expiring-cache.ts';
import type { Caller } from '../owners.ts';
import { limits } from '../limits/limits.ts';
import { NetworkLimit } from './network-limit.ts';

export type Access =
  /** Anybody, without a key. */
  | 'public'
  /** Anybody with an API key: the public catalogue. */
  | 'key'
  /** A signed-in user with the API key, or a user's personal key. */
  | 'member'
  /** A signed-in user with an access token: a personal key is refused. */
  | 'session'
  /** A member with a plan or in the free trial. */
  | 'explorer'
  /** A member who operates the server. */
  | 'operator';

/** Scope that a personal key needs for a call; `any` for calls that every key may make. */
export type NeededScope = KeyScope | 'any';

export interface KeyHolder extends Caller {
  /** Name of the key, or of the connected app. */
  name: string;
  scopes: readonly KeyScope[];
  /** A token of a connected app, which opens the tools for assistants alone. */
  toolsOnly?: true;
}

/** `scopes`: those of the personal key of the call; undefined in a session, which has no limits of scopes. */
export type Member = Caller & Partial<KeyHolder>;

export interface Accounts {
  /** The user of an access token; undefined when it is expired, forged or signed out. */
  userOf(token: string): Promise<Caller | undefined>;
  /** The user of a personal API key; undefined when it is unknown, revoked or has ended. */
  userOfKey(apiKey: string): Promise<KeyHolder | undefined>;
  trialExpired(userId: string): Promise<boolean>;
  isOperator(userId: string): Promise<boolean>;
}

/** Datasets that a route opens to visitors: the demo dataset alone, or also those of the catalogue where embedding is on. */
export type OpenedDatasets = 'demo' | 'public';

/** A caller without an account, on a route that is open to visitors. */
export interface Visitor {
  /** The only dataset that the call may read. */
  dataset: string;
  /** Whether it is the demo dataset, of which more is open than of an embedded one. */
  isDemo: boolean;
  network: string;
}

/** The simulated dataset that visitors may explore. */
export interface DemoDataset {
  id: string;
  /** Whether it is there and simulated. */
  isOpen(): Promise<boolean>;
}

/** Datasets that are open to visitors. */
export interface OpenToVisitors {
  demo?: DemoDataset | undefined;
  /** Whether a dataset is in the catalogue; absent where embedding is off. */
  isEmbeddable?: ((id: string) => Promise<boolean>) | undefined;
}

export interface Credentials {
  apiKey: string | undefined;
  authorization: string | undefined;
  /** A tool makes the call, within this process. */
  ofTool?: boolean;
}

/** Headers of the calls that tools make within this process. No caller knows the value. */
export const toolCallHeaders = { 'x-tool-call': randomUUID() } as const;

/** Authenticates and authorises the calls of `/api`. */
export class AccessPolicy {
  readonly #keys: readonly string[];
  readonly #accounts: Accounts;
  readonly #open: OpenToVisitors;
  readonly #visitorCalls = new NetworkLimit(
    limits.visitorCalls.value,
    'Too many visitor calls from your network. Wait a minute, or sign in.',
  );

  /** `keys` are API keys of the web app: for the catalogue and, with an access token, for the rest. */
  constructor(keys: readonly string[], accounts: Accounts, open: OpenToVisitors = {}) {
    this.#keys = keys;
    this.#accounts = accounts;
    this.#open = open;
  }

  /**
   * The visitor of a call without a token that names a dataset in its header which the route opens to visitors;
   * undefined for any other call, which then needs an account. Throws NotAdmitted when the network of the visitor has
   * made too many calls.
   */
  async visitorOf(request: FastifyRequest, opens: OpenedDatasets): Promise<Visitor | undefined> {
    const id = single(request, apiHeaders.demo);
    const { apiKey, authorization } = credentialsOf(request);
    if (id === undefined || authorization !== undefined) return undefined;
    if (!this.#isSiteKey(apiKey) || !namesOnly(request, id)) return undefined;
    const { demo, isEmbeddable } = this.#open;
    const isDemo = id === demo?.id && (await demo.isOpen());
    if (!isDemo && !(opens === 'public' && (await isEmbeddable?.(id)))) return undefined;
    const visitor = { dataset: id, isDemo, network: network(request.ip) };
    await this.#visitorCalls.count(request.ip);
    return visitor;
  }

  /**
   * Returns the calling member when the route requires one. No personal key may make a call without a `scope`. Throws
   * ApiFailure 401 or 403.
   */
  async admit(
    access: Exclude<Access, 'public' | 'key'>,
    credentials: Credentials,
    scope: NeededScope | undefined,
  ): Promise<Member>;
  async admit(
    access: Access,
    credentials: Credentials,
    scope: NeededScope | undefined,
  ): Promise<Member | undefined>;
  async admit(
    access: Access,
    { apiKey, authorization, ofTool = false }: Credentials,
    scope: NeededScope | undefined,
  ): Promise<Member | undefined> {
    if (access === 'public') return undefined;
    // A personal key always identifies its own user; a token beside it is ignored.
    const keyUser = apiKey ? await this.#accounts.userOfKey(apiKey) : undefined;
    if (!keyUser) this.#checkKey(apiKey);
    else if (keyUser.toolsOnly && !ofTool) {
      const message = 'The token of a connected app opens the tools at /mcp alone. Send a personal key.';
      throw new ApiFailure(401, 'invalid_api_key', message);
    } else if (scope !== undefined) checkScope(keyUser, scope);
    if (access === 'key') return undefined;
    if ((access === 'session' || scope === undefined) && keyUser) {
      const message =
        'A personal key may not do this. Sign in, and send your access token and the key of the site.';
      throw new ApiFailure(403, 'session_required', message);
    }
    const member = keyUser ?? (await this.#member(authorization));
    if (access === 'explorer' && (await this.#accounts.trialExpired(member.userId))) {
      throw new ApiFailure(
        403,
        'trial_expired',
        'Your free trial has expired. Choose a plan to continue exploring.',
      );
    }
    if (access === 'operator' && !(await this.operates(member))) {
      throw new ApiFailure(
        403,
        'not_an_operator',
        'Only operators of this server may do this. To make an account an operator, run: cellfolio user operator EMAIL.',
      );
    }
    return member;
  }

  operates({ userId }: Caller): Promise<boolean> {
    return this.#accounts.isOperator(userId);
  }

  #checkKey(apiKey: string | undefined): void {
    if (!apiKey) throw new ApiFailure(401, 'missing_api_key', 'Send your API key in the header X-API-Key.');
    if (this.#isSiteKey(apiKey)) return;
    throw new ApiFailure(401, 'invalid_api_key', 'The API key in the header X-API-Key is not valid.');
  }

  #isSiteKey(apiKey: string | undefined): boolean {
    return apiKey !== undefined && this.#keys.some((validKey) => isSameKey(apiKey, validKey));
  }

  async #member(authorization: string | undefined): Promise<Caller> {
    const token = bearerToken(authorization);
    if (!token) throw signInFirst();
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

/** Throws ApiFailure 403 with the challenge of RFC 6750, section 3. */
function checkScope({ scopes }: KeyHolder, scope: NeededScope): void {
  if (scope === 'any' || scopes.includes(scope)) return;
  throw new ApiFailure(
    403,
    'scope_missing',
    `This key lacks the scope ${scope} (${keyScopes[scope].label}). Make a key with it on the page Account, under API Keys.`,
    {
      details: { scope },
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    },
  );
}

export function signInFirst(): ApiFailure {
  const message = 'Sign in first: send your access token as Authorization: Bearer.';
  return new ApiFailure(401, 'missing_token', message);
}

/** Whether the path names no other dataset and the body, if there is one, is small and has a stated length. */
function namesOnly({ params, headers, method }: FastifyRequest, id: string): boolean {
  const { datasetFilename = id } = params as { datasetFilename?: string };
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const bytes = hasBody ? Number(headers['content-length'] ?? Number.NaN) : 0;
  return datasetFilename === id && bytes <= limits.visitorBodyBytes.value;
}

/** Maximum delay until a sign-out or a new plan takes effect. */
const cacheMilliseconds = 5000;

/** Caches the user of a token and the state of a trial for a few seconds, for bursts of calls. */
export function cacheAccounts(accounts: Accounts, now: () => number = Date.now): Accounts {
  const users = new ExpiringCache<Caller | undefined>(cacheMilliseconds, now);
  const trials = new ExpiringCache<boolean>(cacheMilliseconds, now);
  return {
    // Tokens are secrets: the cache has only their digests.
    userOf: (token) =>
      users.recall(createHash('sha256').update(token).digest('base64'), () => accounts.userOf(token)),
    // Not cached: revoking a key or a right takes effect at once.
    userOfKey: (apiKey) => accounts.userOfKey(apiKey),
    isOperator: (userId) => accounts.isOperator(userId),
    trialExpired: (userId) => trials.recall(userId, () => accounts.trialExpired(userId)),
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: `explorer`. */
    access?: Access;
    /** Stated by every route that personal keys may call: all but those of `public` and `session`. */
    scope?: NeededScope;
    /** Also admits visitors without an account. The handler must store nothing for them. */
    visitors?: OpenedDatasets;
  }
  interface FastifyRequest {
    /** Undefined for visitors, and where the route requires no account. */
    member: Member | undefined;
    visitor: Visitor | undefined;
  }
}

/** One user in one browser tab; each has its own open dataset and selected cells. */
export interface TabSession extends Caller {
  sessionId: string;
}

/** Enforces the `access` of each route. */
export const accessPlugin = fastifyPlugin<{ policy: AccessPolicy }>(async (app, { policy }) => {
  app.decorateRequest('member', undefined);
  app.decorateRequest('visitor', undefined);
  app.addHook('onRoute', ({ method, url, config: { access = 'explorer', scope } = {} }) => {
    if (access === 'public' || access === 'session' || scope !== undefined) return;
    throw new Error(`The route ${String(method)} ${url} states no scope that personal keys need for it`);
  });
  app.addHook('onRequest', async (request, reply) => {
    const { access = 'explorer', scope, visitors } = request.routeOptions.config;
    // Personal responses must not be cached: shared caches do not know the key header. A route may override this.
    if (access !== 'public' && access !== 'key') reply.header('cache-control', 'no-store');
    request.visitor = visitors && (await policy.visitorOf(request, visitors));
    if (request.visitor === undefined)
      request.member = await policy.admit(access, credentialsOf(request), scope);
  });
});

export function credentialsOf(request: FastifyRequest): Credentials {
  return {
    apiKey: single(request, apiHeaders.apiKey),
    authorization: request.headers.authorization,
    ofTool: single(request, 'x-tool-call') === toolCallHeaders['x-tool-call'],
  };
}

/** The user and browser tab of a call. Throws ApiFailure 400 when the session id is invalid. */
export function tabSessionOf(request: FastifyRequest): TabSession {
  const { userId } = memberOf(request);
  const sessionId = single(request, apiHeaders.session) ?? 'default';
  if (!/^[\w-]{1,64}$/.test(sessionId)) {
    throw new ApiFailure(400, 'invalid_session_id', 'X-Session-Id must be 1 to 64 letters, digits, - or _.');
  }
  return { userId, sessionId };
}

export function memberOf({ member, url }: FastifyRequest): Member {
  if (!member) throw new Error(`The access of the route of ${url} admits callers without an account`);
  return member;
}

/** Undefined for a visitor, who has no datasets, columns or displays. */
export function callerOf(request: FastifyRequest): Caller | undefined {
  return request.visitor ? undefined : memberOf(request);
}

function single(request: FastifyRequest, name: string): string | undefined {
  // name-dictionary: names of our own headers
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
