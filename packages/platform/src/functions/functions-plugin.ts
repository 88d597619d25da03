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

/** Functions of the application, which the official client invokes by name; mount at `/functions/v1`. */
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
    const exists = app.hasRoute({ method: 'POST', url: path });
    if (exists) throw new FunctionError(405, 'method_not_allowed', 'Functions are called by POST.');
    throw new FunctionError(404, 'function_not_found', 'There is no such function.');
  });
  await mount(app, context);
};

export interface FunctionsContext {
  readonly database: Database;
  readonly siteUrl: string;
  /** Public address of the platform, without `/functions/v1`. */
  readonly publicUrl: string;
  readonly siteName: string;
  readonly callers: CallerResolver;
  readonly verifier: TokenVerifier;
  /** Creates counters of calls; false for no limits, undefined for counters in memory. */
  readonly makeLimiter: LimiterFactory | false | undefined;
  readonly mailer: Mailer | undefined;
  /** Take a caller's address from the forwarding header that the Fastify instance trusts. */
  readonly trustProxy: boolean;
  readonly now: () => number;
  readonly log: FastifyBaseLogger;
}

/** Mounts the functions of an application: `app.post('/name', { config: { functionAccess } }, …)`. */
export type MountFunctions = (app: FastifyInstance, context: FunctionsContext) => void | Promise<void>;

/**
 * Callers of a function: anyone with a key; anyone with a session, even before the second factor; a fully signed-in
 * user.
 */
type FunctionAccess = 'visitor' | 'session' | 'user';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Allowed callers; default `user`. */
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
 * The calling user; undefined for a visitor. Throws GatewayError 401 or FunctionError: 401 if not signed in, 403 if not
 * allowed.
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

function keepUser(request: FastifyRequest, user: SignedInUser | undefined): void {
  if (user) users.set(request, user);
}

export function userOf(request: FastifyRequest): SignedInUser {
  const user = users.get(request);
  if (!user) throw new Error(`${request.url} needs a user but admits others`);
  return user;
}

export function visitorOf(request: FastifyRequest): SignedInUser | undefined {
  return users.get(request);
}
