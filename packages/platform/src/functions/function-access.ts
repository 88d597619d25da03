import type { FastifyRequest } from 'fastify';
import { secondStepPending } from '../accounts/second-step.ts';
import { subscriptionOf } from '../accounts/subscription.ts';
import { AuthError } from '../auth/auth-error.ts';
import { findUser, isBanned } from '../auth/user-record.ts';
import type { ResolvedCaller } from '../auth/resolve-caller.ts';
import { FunctionError } from './function-error.ts';
import type { FunctionsContext } from './functions-context.ts';

/**
 * Who may call a function: anyone with a key; whoever has a session, even before its second step; a user who is wholly
 * signed in; a user whose plan is Professional.
 */
export type FunctionAccess = 'visitor' | 'session' | 'user' | 'professional';

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

type Admission = Pick<FunctionsContext, 'callers' | 'verifier' | 'database' | 'now' | 'settings'>;

/**
 * The user who calls; undefined for a visitor. Throws GatewayError 401 or FunctionError: 401 for who is not signed in,
 * 403 for who may not.
 */
export async function admit(
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
  if (await secondStepPending(context.database, claims)) {
    const message = 'Confirm your second step first: this account asks for one.';
    throw new FunctionError(403, 'insufficient_aal', message);
  }
  if (access === 'professional') await requireProfessional(context, user.id);
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

async function requireProfessional({ database, settings, now }: Admission, userId: string): Promise<void> {
  const { trialDays } = settings;
  const subscription = await subscriptionOf(database, userId, { trialDays, now: new Date(now()) });
  if (subscription?.tier === 'Professional') return;
  throw new FunctionError(
    403,
    'professional_plan_required',
    'Professional Plan Required: AI analysis is available for Professional plan users only.',
  );
}
