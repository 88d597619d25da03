import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborts when the client goes away before its answer is sent. */
    clientGone: AbortSignal;
  }
}

/**
 * Tells handlers when nobody waits for their answer any more. Fastify's own `request.signal` listens to the
 * incoming message, which closes as soon as the body of a POST has been read, and then never aborts.
 */
export const clientGonePlugin = fastifyPlugin(async (app) => {
  app.decorateRequest('clientGone');
  app.addHook('onRequest', async (request, reply) => {
    const controller = new AbortController();
    request.clientGone = controller.signal;
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) controller.abort();
    });
  });
});
