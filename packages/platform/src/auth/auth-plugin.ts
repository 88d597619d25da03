import type { FastifyPluginAsync } from 'fastify';
import { allowOtherOrigins } from '../gateway/cors.ts';
import { acceptEmptyJson } from '../gateway/json-body.ts';
import type { CallerResolver } from '../gateway/resolve-caller.ts';
import { answerInEnvelope } from './auth-answers.ts';
import type { AuthContext } from './auth-context.ts';
import { disabledFeatures } from './routes/disabled-features.ts';
import { getHealth } from './routes/get-health.ts';
import { getJwks } from './routes/get-jwks.ts';
import { getSettings } from './routes/get-settings.ts';
import { getUser } from './routes/get-user.ts';
import { getVerify } from './routes/get-verify.ts';
import { postLogout } from './routes/post-logout.ts';
import { postSignup } from './routes/post-signup.ts';
import { postToken } from './routes/post-token.ts';
import { putUser } from './routes/put-user.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is reached by a plain link, so without an API key. */
    open?: boolean;
  }
}

export interface AuthPluginOptions {
  readonly context: AuthContext;
  readonly callers: CallerResolver;
}

const routes = [
  getHealth,
  getSettings,
  getJwks,
  getUser,
  getVerify,
  postSignup,
  postToken,
  putUser,
  postLogout,
  disabledFeatures,
];

/** The auth service, to be mounted at `/auth/v1`. */
export const authPlugin: FastifyPluginAsync<AuthPluginOptions> = async (app, { context, callers }) => {
  acceptEmptyJson(app);
  answerInEnvelope(app);
  allowOtherOrigins(app);
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.open) return;
    const { apikey } = request.headers;
    await callers.roleOfKey({
      apikey: typeof apikey === 'string' ? apikey : undefined,
      userAgent: request.headers['user-agent'],
    });
  });
  for (const route of routes) route(app, context);
};
