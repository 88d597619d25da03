import type { FastifyInstance } from 'fastify';
import type { AuthContext } from '../auth-context.ts';
import { originOf } from '../request-input.ts';
import { authenticate } from '../services/authenticate.ts';
import { sendReauthentication } from '../services/reauthenticate.ts';

/** Sends the signed-in user a code for a change that needs one. */
export function getReauthenticate(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/reauthenticate',
    // It sends something, so a look with HEAD must not do it.
    exposeHeadRoute: false,
    handler: async (request) => {
      await context.limits.countRequest('recover', originOf(request, context.settings).address);
      const { user } = await authenticate(context, request.headers.authorization);
      await sendReauthentication(context, user);
      return {};
    },
  });
}
