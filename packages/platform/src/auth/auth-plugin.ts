import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Admission } from '../gateway/admission.ts';
import { allowOtherOrigins } from '../gateway/cors.ts';
import { acceptEmptyJson } from '../gateway/json-body.ts';
import { takeTurns } from '../gateway/take-turns.ts';
import { answerInEnvelope } from './auth-answers.ts';
import type { AuthContext } from './auth-context.ts';
import { disabledFeatures } from './routes/disabled-features.ts';
import { adminLinks } from './routes/admin/links.ts';
import { adminUsers } from './routes/admin/users.ts';
import { callback } from './routes/callback.ts';
import { deleteIdentity } from './routes/delete-identity.ts';
import { factors } from './routes/factors.ts';
import { getAuthorize, getIdentitiesAuthorize } from './routes/get-authorize.ts';
import { getHealth } from './routes/get-health.ts';
import { getJwks } from './routes/get-jwks.ts';
import { getReauthenticate } from './routes/get-reauthenticate.ts';
import { getSettings } from './routes/get-settings.ts';
import { getUser } from './routes/get-user.ts';
import { getVerify } from './routes/get-verify.ts';
import { postLogout } from './routes/post-logout.ts';
import { postOtp } from './routes/post-otp.ts';
import { postRecover } from './routes/post-recover.ts';
import { postResend } from './routes/post-resend.ts';
import { postSignup } from './routes/post-signup.ts';
import { postToken } from './routes/post-token.ts';
import { postVerify } from './routes/post-verify.ts';
import { putUser } from './routes/put-user.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is reached by a plain link, so without an API key. */
    open?: boolean;
  }
}

export interface AuthPluginOptions {
  readonly context: AuthContext;
  /** Lets calls in by turns; without it all at once. */
  readonly calls?: Admission;
}

/** Answered at once: whoever watches the service must not wait behind its callers. */
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

/** The auth service, to be mounted at `/auth/v1`. */
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
