import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AuthError } from '../auth-error.ts';

/** Routes that clients know and that are not built yet; some paths stand before the pattern that covers them. */
const routes: readonly (readonly [HTTPMethods, string, string])[] = [
  ['POST', '/recover', 'Password recovery by mail'],
  ['POST', '/resend', 'Sending a mail again'],
  ['POST', '/otp', 'Sign-in by mailed code'],
  ['POST', '/magiclink', 'Sign-in by mailed link'],
  ['POST', '/verify', 'Sign-in by mailed code'],
  ['GET', '/reauthenticate', 'Signing in again by mailed code'],
  ['GET', '/authorize', 'Sign-in with another provider'],
  ['GET', '/callback', 'Sign-in with another provider'],
  ['POST', '/callback', 'Sign-in with another provider'],
  ['GET', '/user/identities/authorize', 'Linking another provider'],
  ['DELETE', '/user/identities/:identityId', 'Removing an identity'],
  ['POST', '/factors', 'Two-step sign-in'],
  ['GET', '/factors/recovery-codes', 'Recovery codes'],
  ['POST', '/factors/recovery-codes', 'Recovery codes'],
  ['DELETE', '/factors/recovery-codes', 'Recovery codes'],
  ['POST', '/factors/recovery-codes/verify', 'Recovery codes'],
  ['POST', '/factors/recovery-codes/regenerate', 'Recovery codes'],
  ['POST', '/factors/:factorId/challenge', 'Two-step sign-in'],
  ['POST', '/factors/:factorId/verify', 'Two-step sign-in'],
  ['DELETE', '/factors/:factorId', 'Two-step sign-in'],
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
