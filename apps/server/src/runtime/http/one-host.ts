import fastifyPlugin from 'fastify-plugin';

/**
 * Refuses a request that names several hosts, as RFC 9112 (3.2) asks: a proxy may have gone by the one that this server
 * does not see. Node itself refuses requests without any.
 */
export const oneHostPlugin = fastifyPlugin(async (app) => {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = raw.rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === 'host');
    if (hosts.length > 1) return reply.code(400).send({ message: 'The request has several Host headers.' });
    return undefined;
  });
});
