import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Admission } from '../gateway/admission.ts';
import { allowOtherOrigins, acceptEmptyJson } from '../gateway/service-scope.ts';
import { takeTurns } from '../gateway/service-admissions.ts';
import { answerInEnvelope } from './auth-error.ts';
import type { AuthContext } from './auth-context.ts';
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
import { postLogout } from './sign-out.ts';
import { postOtp, postRecover, postResend } from './send-codes.ts';
import { postSignup } from './sign-up.ts';
import { postToken } from './sign-in.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is reached by a plain link, so without an API key. */
    open?: boolean;
  }
}

interface AuthPluginOptions {
  readonly context: AuthContext;
  /** Admission queue; if absent, calls run at once. */
  readonly calls?: Admission;
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
