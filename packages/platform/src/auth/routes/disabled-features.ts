import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AuthError } from '../auth-error.ts';

/** Routes that clients know and that are not here; some paths stand before the pattern that covers them. */
const routes: readonly (readonly [HTTPMethods, string, string])[] = [
  ['GET', '/factors/recovery-codes', 'Recovery codes'],
  ['POST', '/factors/recovery-codes', 'Recovery codes'],
  ['DELETE', '/factors/recovery-codes', 'Recovery codes'],
  ['POST', '/factors/recovery-codes/verify', 'Recovery codes'],
  ['POST', '/factors/recovery-codes/regenerate', 'Recovery codes'],
  ['POST', '/sso', 'Sign-in through SAML'],
];

export function disabledFeatures(app: FastifyInstance): void {
  for (const [method, url, feature] of routes) {
    app.route({
      method,
      url,
      handler: async () => {
        throw new AuthError(404, 'feature_disabled', `${feature} is not available here.`);
      },
    });
  }
  app.setNotFoundHandler(async (request) => {
    throw new AuthError(404, 'not_found', `There is no ${request.method} ${request.url.split('?')[0]} here.`);
  });
}
