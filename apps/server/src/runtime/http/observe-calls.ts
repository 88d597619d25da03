import { apiHeaders } from '@cellfolio/contract';
import type { Span } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';

export interface CallObservers {
  metrics: Metrics;
  /** Undefined without a collector of traces. */
  tracing: Tracing | undefined;
  slowMilliseconds: number;
  /** Called when a call starts, except health checks; the returned function when it ends. */
  onCall?: () => () => void;
}

/** Counts and times every call by route, logs slow ones, and sends the request id that the log has. */
export const observeCallsPlugin = fastifyPlugin<CallObservers>(
  async (app, { metrics, tracing, slowMilliseconds, onCall }) => {
    if (onCall) {
      app.addHook('onRequest', async (request, reply) => {
        if (!probes.has(routeOf(request))) reply.raw.once('close', onCall());
      });
    }
    app.addHook('onRequest', async (request, reply) => void reply.header(apiHeaders.request, request.id));
    if (tracing) {
      app.decorateRequest('span');
      app.addHook('onRequest', (request, _reply, done) => {
        const { traceparent } = request.headers;
        request.span = tracing.begin({
          method: request.method,
          route: routeOf(request),
          requestId: request.id,
          traceparent: typeof traceparent === 'string' ? traceparent : undefined,
        });
        tracing.within(request.span, done);
      });
    }
    app.addHook('onResponse', async (request, reply) => {
      const route = routeOf(request);
      const milliseconds = reply.elapsedTime;
      const { method } = request;
      const status = reply.statusCode;
      if (request.span) tracing?.end(request.span, status);
      metrics.called({ method, route, status, seconds: milliseconds / 1000 });
      // A stream of progress takes as long as the work.
      if (milliseconds >= slowMilliseconds && !request.routeOptions.config.streams) {
        request.log.warn({ method, route, status, milliseconds: Math.round(milliseconds) }, 'slow call');
      }
    });
  },
);

const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'none';
}

declare module 'fastify' {
  interface FastifyRequest {
    span?: Span;
  }
  interface FastifyContextConfig {
    /** A streaming call, whose duration says nothing about the server: it ends with the work that it reports on. */
    streams?: boolean;
  }
}
