import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthContext } from '../auth-context.ts';
import { parseInput } from '../request-input.ts';
import { authenticate } from '../services/authenticate.ts';
import { signOut } from '../services/sign-out.ts';

const query = z.object({ scope: z.enum(['global', 'local', 'others']).default('global') });

export function postLogout(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'POST',
    url: '/logout',
    handler: async (request, reply) => {
      const { claims } = await authenticate(context, request.headers.authorization);
      const { scope } = parseInput(query, request.query);
      await signOut(context, claims, scope);
      return reply.code(204).send();
    },
  });
}
