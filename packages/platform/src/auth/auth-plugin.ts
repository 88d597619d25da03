import type { FastifyPluginAsync, FastifyRequest, FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { PoolClient } from 'pg';
import type { Admission } from '../gateway/admission.ts';
import { allowOtherOrigins, acceptEmptyJson } from '../gateway/service-scope.ts';
import { takeTurns } from '../gateway/service-admissions.ts';
import { answerInEnvelope, AuthError } from './auth-error.ts';
import type { AuthContext, ClientOrigin } from './auth-context.ts';
import { disabledFeatures, getHealth, getJwks, getSettings } from './service-routes.ts';
import { adminLinks } from './generate-link.ts';
import { adminUsers } from './admin-users.ts';
import { callback } from './provider-callback.ts';
import { deleteIdentity } from './identities.ts';
import { factors } from './factors.ts';
import { getAuthorize, getIdentitiesAuthorize } from './provider-redirect.ts';
import { getReauthenticate } from './reauthenticate.ts';
import { getUser, putUser } from './update-user.ts';
import { getVerify, postVerify } from './verify.ts';
import { postOtp, postRecover, postResend } from './send-codes.ts';
import { postToken } from './sign-in.ts';
import {
  parseInput,
  captchaFields,
  challengeFields,
  mailedReturnOf,
  originOf,
  refuseRobots,
} from './request-input.ts';
import {
  authenticate,
  lacksSecondStep,
  requireSecondStep,
  beginSession,
  type SessionAnswer,
  sessionAnswer,
} from './sessions.ts';
import type { AccessTokenClaims } from './tokens/access-token.ts';
import { accountData, type UserAnswer } from './user-answer.ts';
import { signUpByPhone, signedUpAnswer } from './sign-up-by-phone.ts';
import { normaliseEmail } from './addresses.ts';
import { checkNewPassword, hashPassword, passwordFits } from './passwords.ts';
import {
  confirmEmail,
  findUserByEmail,
  insertAnonymousUser,
  insertUser,
  type UserRecord,
} from './user-record.ts';
import { type MailedReturn, outboxOf, prepareSignUpMail } from './mail-codes.ts';

const body = z.object({
  email: z.string().nullish(),
  phone: z.string().nullish(),
  password: z.string().nullish(),
  data: accountData.nullish(),
  ...challengeFields,
  ...captchaFields,
});

function postSignup(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/signup',
    handler: async (request) => {
      const { settings, limits } = context;
      const origin = originOf(request, settings);
      await limits.countRequest('signUp', origin.address);
      if (!settings.signUpEnabled)
        throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
      const input = parseInput(body, request.body);
      const { email, phone } = input;
      const userMetadata = input.data ?? {};
      const password = input.password ?? '';
      if (email && phone) {
        throw new AuthError(
          400,
          'validation_failed',
          'Only an email address or phone number should be provided on signup.',
        );
      }
      if (!email && !phone && !settings.anonymousEnabled) {
        throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
      }
      const back = mailedReturnOf(request, context, input);
      await refuseRobots(request, context, input);
      if (phone) return signUpByPhone(context, { phone, password, userMetadata }, origin);
      if (email) return signUp(context, { email, password, userMetadata, back }, origin);
      await limits.countRequest('anonymous', origin.address);
      return signUpAnonymously(context, userMetadata, origin);
    },
  });
}

interface SignUpRequest {
  email: string;
  password: string;
  userMetadata: Readonly<Record<string, unknown>>;
  back: MailedReturn;
}

interface HashedRequest extends SignUpRequest {
  passwordHash: string;
}

/**
 * Creates an account: returns a session if accounts are confirmed automatically, else the bare user, and sends a mail.
 * With mail, an address that has an account gets the same response after the same work, and its owner is mailed
 * instead. The password is hashed before the address is looked up. Throws AuthError.
 */
async function signUp(
  context: AuthContext,
  request: SignUpRequest,
  origin: ClientOrigin,
): Promise<SessionAnswer | UserAnswer> {
  checkNewPassword(request.password, context.settings.passwordMinLength);
  const email = normaliseEmail(request.email);
  if (!context.settings.autoConfirm) await context.limits.countMail(undefined, email);
  const passwordHash = await hashPassword(request.password, {
    cost: context.settings.passwordCost,
    by: [email, origin.address],
  });
  return context.settings.autoConfirm
    ? signUpAtOnce(context, { ...request, email, passwordHash }, origin)
    : signUpByMail(context, { ...request, email, passwordHash });
}

async function signUpByMail(
  context: AuthContext,
  { email, passwordHash, userMetadata, back }: HashedRequest,
): Promise<UserAnswer> {
  const outbox = outboxOf(context);
  const now = new Date(context.now());
  const { made, mail } = await context.database.transaction(async (client) => {
    const made = await insertUser(client, {
      email,
      passwordHash,
      confirmed: false,
      userMetadata,
      createdAt: now,
    });
    // An unconfirmed account keeps its password: the second request may be from someone else.
    const user = await findUserByEmail(client, email);
    return { made, mail: await prepareSignUpMail(client, context, user, back) };
  });
  if (mail) outbox.post(mail);
  return signedUpAnswer({ email }, { made, userMetadata, now });
}

async function signUpAtOnce(
  context: AuthContext,
  { email, password, passwordHash, userMetadata }: HashedRequest,
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  const createdAt = new Date(context.now());
  const begun = await context.database.transaction(async (client) => {
    const user = await insertUser(client, { email, passwordHash, confirmed: true, userMetadata, createdAt });
    return user && begin(client, context, user, origin);
  });
  if (begun) return sessionAnswer(context, begun.user, begun.session);
  const existing = await findUserByEmail(context.database.pool, email);
  if (!existing) throw new AuthError(422, 'user_already_exists', 'User already registered');
  return joinUnconfirmed(context, existing, password, origin);
}

/**
 * An account left unconfirmed from a time when mails were sent: the right password takes it over; others get the same
 * response as for any account.
 */
async function joinUnconfirmed(
  context: AuthContext,
  existing: UserRecord,
  password: string,
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  if (existing.email_confirmed_at) throw new AuthError(422, 'user_already_exists', 'User already registered');
  const attempt = await context.limits.countPasswordAttempt(existing.email ?? '', origin.address);
  const turn = { cost: context.settings.passwordCost, by: [existing.email ?? '', origin.address] };
  if (!(await passwordFits(password, existing.encrypted_password, turn))) {
    throw new AuthError(422, 'user_already_exists', 'User already registered');
  }
  await attempt.succeeded();
  const begun = await context.database.transaction(async (client) => {
    await confirmEmail(client, existing.id, new Date(context.now()));
    return begin(client, context, existing, origin);
  });
  return sessionAnswer(context, begun.user, begun.session);
}

async function signUpAnonymously(
  context: AuthContext,
  userMetadata: Readonly<Record<string, unknown>>,
  origin: ClientOrigin,
): Promise<SessionAnswer> {
  const createdAt = new Date(context.now());
  const begun = await context.database.transaction(async (client) => {
    const user = await insertAnonymousUser(client, { userMetadata, createdAt });
    if (!user) throw new Error('A new account was not stored.');
    return beginSession(client, context, user.id, { ...origin, method: 'anonymous' });
  });
  return sessionAnswer(context, begun.user, begun.session);
}

async function begin(client: PoolClient, context: AuthContext, user: UserRecord, origin: ClientOrigin) {
  return beginSession(client, context, user.id, { ...origin, method: 'password' });
}

const query = z.object({ scope: z.enum(['global', 'local', 'others']).default('global') });

function postLogout(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/logout',
    handler: async (request, reply) => {
      const signedIn = await authenticate(context, request.headers.authorization);
      const { scope } = parseInput(query, request.query);
      if (scope === 'others') requireSecondStep(signedIn);
      // A password alone ends its own session, and no other one of the account.
      await signOut(context, signedIn.claims, lacksSecondStep(signedIn) ? 'local' : scope);
      if (scope === 'global') {
        requireSecondStep(
          signedIn,
          403,
          'Only this session ended. Complete the second step to end the others.',
        );
      }
      return reply.code(204).send();
    },
  });
}

type SignOutScope = 'global' | 'local' | 'others';

const conditions = {
  global: '',
  local: ' and id = $2',
  others: ' and id <> $2',
} as const satisfies Record<SignOutScope, string>;

/** Ends all sessions of the user, this one, or all others, with their refresh tokens. */
async function signOut(context: AuthContext, claims: AccessTokenClaims, scope: SignOutScope): Promise<void> {
  await context.database.pool.query(
    `delete from auth.sessions where user_id = $1${conditions[scope]}`,
    scope === 'global' ? [claims.sub] : [claims.sub, claims.session_id],
  );
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is reached by a plain link, so without an API key. */
    open?: boolean;
  }
}

interface AuthPluginOptions {
  context: AuthContext;
  /** Admission queue; if absent, calls run at once. */
  calls?: Admission;
}

/** Not queued: monitoring must not wait behind other callers. */
const immediate = [getHealth, getSettings, getJwks];

const routes = [
  getUser,
  getVerify,
  postSignup,
  postToken,
  postRecover,
  postResend,
  postOtp,
  postVerify,
  getReauthenticate,
  getAuthorize,
  getIdentitiesAuthorize,
  callback,
  deleteIdentity,
  putUser,
  postLogout,
  disabledFeatures,
  factors,
  adminUsers,
  adminLinks,
];

export const authPlugin: FastifyPluginAsync<AuthPluginOptions> = async (app, { context, calls }) => {
  acceptEmptyJson(app);
  answerInEnvelope(app);
  allowOtherOrigins(app);
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.open) return;
    const { apikey } = request.headers;
    await context.callers.roleOfKey({
      apikey: typeof apikey === 'string' ? apikey : undefined,
      userAgent: request.headers['user-agent'],
    });
  });
  for (const route of immediate) route(app, context);
  await app.register(async (scope) => {
    if (calls) {
      const callerOf = ({ headers }: FastifyRequest) =>
        context.callers.resolveCaller({
          apikey: typeof headers['apikey'] === 'string' ? headers['apikey'] : undefined,
          authorization: headers.authorization,
          userAgent: headers['user-agent'],
        });
      takeTurns(scope, { admission: calls, callerOf, trustProxy: context.settings.trustProxy });
    }
    for (const route of routes) route(scope, context);
  });
};
