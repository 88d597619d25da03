import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { Metrics } from '../runtime/observability/metrics.ts';
import { requestValidatorCompiler } from '../runtime/http/request-validation.ts';
import { getHealth, getMetrics, getReady, type Probes } from '../runtime/http/routes.ts';

/** What a process tells those who watch it, on a port that serves nobody else; the caller listens and closes. */
export async function buildWatchApp(options: {
  readonly probes: Probes;
  /** Absent where only the probes are told. */
  readonly metrics?: Metrics;
  readonly logger: NonNullable<FastifyServerOptions['logger']>;
}): Promise<FastifyInstance> {
  // Whoever watches keeps connections open, which must not keep the process from stopping.
  const app = fastify({ logger: options.logger, forceCloseConnections: true });
  app.setValidatorCompiler(requestValidatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  for (const route of [getHealth, getReady]) await app.register(route, { services: options.probes });
  if (options.metrics) await app.register(getMetrics, { metrics: options.metrics });
  return app;
}
