import { apiHeaders } from '@cellfolio/contract';
import type { Span } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';

export interface CallObservers {
  readonly metrics: Metrics;
  /** Absent where nobody collects traces. */
  readonly tracing: Tracing | undefined;
  /** Calls that take longer are written down. */
  readonly slowMilliseconds: number;
  /** Hears of each call that begins, but for those that only look whether the process lives; what it returns, of its end. */
  readonly called?: () => () => void;
}

/**
 * Counts and times every call by the pattern of its route, writes down the slow ones, and tells the caller by which id
 * the log knows the call.
 */
export const observeCallsPlugin = fastifyPlugin<CallObservers>(
  async (app, { metrics, tracing, slowMilliseconds, called }) => {
    if (called) {
      app.addHook('onRequest', async (request, reply) => {
        if (!probes.has(routeOf(request))) reply.raw.once('close', called());
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
      // Progress is told for as long as the work that it tells of.
      if (milliseconds >= slowMilliseconds && !request.routeOptions.config.streams) {
        request.log.warn({ method, route, status, milliseconds: Math.round(milliseconds) }, 'slow call');
      }
    });
  },
);

const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** What no route answers has any address; all of it is one. */
function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'none';
}

declare module 'fastify' {
  interface FastifyRequest {
    span?: Span;
  }
  interface FastifyContextConfig {
    /** The answer goes on as long as something happens; its length says nothing. */
    streams?: boolean;
  }
}
