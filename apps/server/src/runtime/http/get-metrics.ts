import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Metrics } from '../observability/metrics.ts';

/** All numbers of this process, as Prometheus asks for them. Only ever on a port of its own. */
export const getMetrics: FastifyPluginAsyncZod<{ metrics: Metrics }> = async (app, { metrics }) => {
  app.get('/metrics', { config: { access: 'public' }, logLevel: 'warn' }, async (_request, reply) => {
    const { type, body } = await metrics.text();
    return reply.type(type).send(body);
  });
};
