import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate } from '../services/authenticate.ts';
import { unlinkIdentity } from '../services/unlink-identity.ts';

const parameters = z.object({ identityId: z.uuid() });

/** Takes a way of signing in from the account. */
export function deleteIdentity(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'DELETE',
    url: '/user/identities/:identityId',
    handler: async (request) => {
      const { user } = await authenticate(context, request.headers.authorization);
      if (!context.settings.manualLinking) {
        throw new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled');
      }
      const given = parameters.safeParse(request.params);
      if (!given.success) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
      await unlinkIdentity(context, user.id, given.data.identityId);
      return {};
    },
  });
}
