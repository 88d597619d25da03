import type { FastifyPluginAsync } from 'fastify';
import { allowOtherOrigins } from '../gateway/cors.ts';
import { acceptEmptyJson } from '../gateway/json-body.ts';
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
}

const routes = [
  getHealth,
  getSettings,
  getJwks,
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
export const authPlugin: FastifyPluginAsync<AuthPluginOptions> = async (app, { context }) => {
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
  for (const route of routes) route(app, context);
};
