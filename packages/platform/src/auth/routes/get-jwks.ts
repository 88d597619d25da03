import type { FastifyInstance } from 'fastify';
import type { AuthContext } from '../auth-context.ts';

/** Public keys that our access tokens can be verified with. */
export function getJwks(app: FastifyInstance, { signingKeys }: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/.well-known/jwks.json',
    config: { open: true },
    handler: async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=600');
      return { keys: await signingKeys.published() };
    },
  });
}
