import type { FastifyInstance } from 'fastify';

/** GET `/status` and `/health`: the service answers. */
export function healthRoute(app: FastifyInstance): void {
  app.get('/status', async () => ({}));
  app.get('/health', async () => ({ healthy: true }));
}
