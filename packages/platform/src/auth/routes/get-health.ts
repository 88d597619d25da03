import type { FastifyInstance } from 'fastify';

export function getHealth(app: FastifyInstance): void {
  app.route({
    method: 'GET',
    url: '/health',
    handler: async () => ({
      version: 'v1',
      name: 'Cellfolio Auth',
      description: 'Accounts and sessions, in the manner of Supabase Auth',
    }),
  });
}
