import type { FastifyPluginAsync, FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { allowOtherOrigins } from '../gateway/service-scope.ts';
import { answerErrorsAsJson, takeBodiesAsBytes, FunctionError } from './function-error.ts';
import { lacksSecondStep } from '../auth/sessions.ts';
import { AuthError } from '../auth/auth-error.ts';
import type { Mailer } from '../auth/mail/mailer.ts';
import type { LimiterFactory } from '../auth/rate-limits.ts';
import type { CallerResolver, ResolvedCaller } from '../auth/resolve-caller.ts';
import type { TokenVerifier } from '../auth/tokens/access-token.ts';
import { findUser, isBanned } from '../auth/user-record.ts';
import type { Database } from '../database/database.ts';
import { secondStepMessage } from '../database/errors.ts';

/** The functions of an application, which the official client invokes by name, to be mounted at `/functions/v1`. */
export const functionsPlugin: FastifyPluginAsync<{
  context: FunctionsContext;
  mount: MountFunctions;
}> = async (app, { context, mount }) => {
  allowOtherOrigins(app);
  answerErrorsAsJson(app);
  takeBodiesAsBytes(app);
  // Before the body is read: unauthenticated bodies are not awaited.
  app.addHook('onRequest', async (request) => {
    const { open, functionAccess } = request.routeOptions.config;
    if (open || request.is404) return;
    keepUser(request, await admit(context, functionAccess ?? 'user', request.headers));
  });
  app.setNotFoundHandler(async (request) => {
    const [path = ''] = request.url.split('?', 1);
    const known = app.hasRoute({ method: 'POST', url: path });
    if (known) throw new FunctionError(405, 'method_not_allowed', 'Functions are called by POST.');
    throw new FunctionError(404, 'function_not_found', 'There is no such function.');
  });
  await mount(app, context);
};

/** What functions are handed by the platform. */
export interface FunctionsContext {
  readonly database: Database;
  /** Where the web app is. */
  readonly siteUrl: string;
  /** Where the platform is reached, without `/functions/v1`. */
  readonly publicUrl: string;
  /** The name that mails show. */
  readonly siteName: string;
  readonly callers: CallerResolver;
  readonly verifier: TokenVerifier;
  /** Makes counters of calls; false where nothing is limited, undefined for counters in memory. */
  readonly makeLimiter: LimiterFactory | false | undefined;
  readonly mailer: Mailer | undefined;
  /** Take a caller's address from the forwarding header that the Fastify instance trusts. */
  readonly trustProxy: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: FastifyBaseLogger;
}

/** Mounts the functions of an application: `app.post('/name', { config: { functionAccess } }, …)`. */
export type MountFunctions = (app: FastifyInstance, context: FunctionsContext) => void | Promise<void>;

/**
 * Who may call a function: anyone with a key; whoever has a session, even before its second step; a user who is wholly
 * signed in.
 */
type FunctionAccess = 'visitor' | 'session' | 'user';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the function; `user` where it says nothing. */
    functionAccess?: FunctionAccess;
  }
}

export interface SignedInUser {
  readonly id: string;
  /** Empty for an account without one. */
  readonly email: string;
}

type Admission = Pick<FunctionsContext, 'callers' | 'verifier' | 'database' | 'now'>;

/**
 * The user who calls; undefined for a visitor. Throws GatewayError 401 or FunctionError: 401 for who is not signed in,
 * 403 for who may not.
 */
async function admit(
  context: Admission,
  access: FunctionAccess,
  headers: FastifyRequest['headers'],
): Promise<SignedInUser | undefined> {
  const caller = await resolve(context, headers);
  if (caller.role !== 'authenticated') {
    if (access === 'visitor') return undefined;
    throw new FunctionError(401, 'missing_token', 'Authentication required: please sign in.');
  }
  const { claims } = caller;
  const user = await findUser(context.database.pool, claims.sub);
  if (!user || !(await context.verifier.sessionAlive(claims))) {
    throw new FunctionError(401, 'session_not_found', 'Your session has ended. Please sign in again.');
  }
  if (isBanned(user, context.now())) {
    throw new FunctionError(403, 'user_banned', 'This account is suspended.');
  }
  const signedIn = { id: user.id, email: user.email ?? '' };
  if (access === 'visitor' || access === 'session') return signedIn;
  if (lacksSecondStep({ user, claims })) throw new FunctionError(403, 'insufficient_aal', secondStepMessage);
  return signedIn;
}

async function resolve({ callers }: Admission, headers: FastifyRequest['headers']): Promise<ResolvedCaller> {
  const { apikey, authorization, 'user-agent': userAgent } = headers;
  try {
    const key = typeof apikey === 'string' ? apikey : undefined;
    return await callers.resolveCaller({ apikey: key, authorization, userAgent });
  } catch (cause) {
    if (!(cause instanceof AuthError)) throw cause;
    const message = 'Your session is not valid or has ended. Please sign in again.';
    throw new FunctionError(401, 'bad_jwt', message, { cause });
  }
}

const users = new WeakMap<FastifyRequest, SignedInUser>();

/** Keeps who was admitted with the request. */
function keepUser(request: FastifyRequest, user: SignedInUser | undefined): void {
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
