import type { FastifyInstance } from 'fastify';
import type { AuthContext } from '../auth-context.ts';
import { authenticate } from '../services/authenticate.ts';
import { userAnswer } from '../user-answer.ts';

export function getUser(app: FastifyInstance, context: AuthContext): void {
  app.route({
    method: 'GET',
    url: '/user',
    handler: async (request) => userAnswer((await authenticate(context, request.headers.authorization)).user),
  });
}
