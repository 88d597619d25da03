import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AuthError } from '../auth-error.ts';

/** Routes that clients know and that are not here; some paths stand before the pattern that covers them. */
const routes: readonly (readonly [HTTPMethods, string, string])[] = [
  ['GET', '/factors/recovery-codes', 'Recovery codes are disabled'],
  ['POST', '/factors/recovery-codes', 'Recovery codes are disabled'],
  ['DELETE', '/factors/recovery-codes', 'Recovery codes are disabled'],
  ['POST', '/factors/recovery-codes/verify', 'Recovery codes are disabled'],
  ['POST', '/factors/recovery-codes/regenerate', 'Recovery codes are disabled'],
  ['POST', '/sso', 'SAML 2.0 is disabled'],
];

export function disabledFeatures(app: FastifyInstance): void {
  for (const [method, url, message] of routes) {
    app.route({
      method,
      url,
      handler: async () => {
        throw new AuthError(404, 'feature_disabled', message);
      },
    });
  }
  for (const url of ['/passkeys', '/passkeys/*']) {
    app.route({
      method: ['GET', 'POST', 'PATCH', 'DELETE'],
      url,
      handler: async () => {
        throw new AuthError(404, 'passkey_disabled', 'Passkeys are disabled');
      },
    });
  }
  app.setNotFoundHandler(async (request) => {
    throw new AuthError(404, 'not_found', `There is no ${request.method} ${request.url.split('?')[0]} here.`);
  });
}
