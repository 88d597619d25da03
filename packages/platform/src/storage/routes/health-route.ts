import type { FastifyInstance } from 'fastify';

/** Of the calls of this service, in the terms of the original. */
const version = '1.0.0';

/** GET `/status`, `/statusz` and `/version`: the service answers, to anyone. */
export function healthRoute(app: FastifyInstance): void {
  for (const url of ['/status', '/statusz']) app.get(url, async () => ({}));
  app.get('/version', async (_request, reply) => reply.type('text/plain').send(version));
}
