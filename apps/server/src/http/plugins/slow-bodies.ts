import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

/**
 * Hangs up on a caller whose body is not there in time: each that sends a byte now and then would keep a connection, and
 * what it has sent, for ever. Files may take as long as they come; the service that takes them watches for stalls itself.
 */
export const slowBodiesPlugin = fastifyPlugin<{ milliseconds: number }>(async (app, { milliseconds }) => {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request) || request.url.startsWith('/storage/v1/')) return;
    const { raw } = request;
    const timer = setTimeout(() => {
      if (!raw.complete) raw.socket.destroy();
    }, milliseconds);
    timer.unref();
    reply.raw.once('close', () => clearTimeout(timer));
  });
});

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
