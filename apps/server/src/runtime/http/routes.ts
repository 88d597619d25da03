import { Readable } from 'node:stream';
import { apiError, callerScopes, keyScopeNames } from '@cellfolio/contract';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Metrics } from '../observability/metrics.ts';
import type { CallRef, ProgressHub } from '../progress/progress-hub.ts';
import { memberOf, tabSessionOf } from './access.ts';

/** A route, typed by its schemas. `Needs`: the services that it depends on. */
export type Route<Needs> = FastifyPluginAsyncZod<{ services: Needs }>;

/** Origin of the site as browsers see it; without a set address that of the request, so that no call is cross-origin. */
export function siteOrigin(request: FastifyRequest, siteUrl: string | undefined): string {
  return siteUrl ?? `${request.protocol}://${request.host}`;
}

export interface Probes {
  /** Why the process is not ready, without secrets; undefined when it is. */
  missing: () => Promise<string | undefined>;
}

/** Liveness. Does not query the database: a slow one is no reason to restart the process. */
export const getHealth: Route<object> = async (app) => {
  app.get(
    '/healthz',
    {
      config: { access: 'public' },
      logLevel: 'warn',
      schema: {
        summary: 'Check whether the process is alive',
        tags: ['server'],
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
};

/** Metrics for Prometheus. Never on the public port. */
export const getMetrics: FastifyPluginAsyncZod<{ metrics: Metrics }> = async (app, { metrics }) => {
  app.get('/metrics', { config: { access: 'public' }, logLevel: 'warn' }, async (_request, reply) => {
    const { type, body } = await metrics.text();
    return reply.type(type).send(body);
  });
};

export const getOpenApi: Route<object> = async (app) => {
  app.get('/api/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
};

/** Readiness: 503 while the process starts or stops, or a dependency is unavailable. */
export const getReady: Route<Probes> = async (app, { services }) => {
  app.get(
    '/readyz',
    {
      config: { access: 'public' },
      logLevel: 'warn',
      schema: {
        summary: 'Check whether this process accepts calls',
        tags: ['server'],
        response: {
          200: z.object({ status: z.literal('ready') }),
          503: apiError.describe('Send calls to another process.'),
        },
      },
    },
    async (_request, reply) => {
      const missing = await services.missing();
      if (missing === undefined) return { status: 'ready' as const };
      return reply.status(503).send({ code: 'not_ready', message: missing });
    },
  );
};

export const getScopes: Route<object> = async (app) => {
  app.get(
    '/api/scopes',
    {
      config: { access: 'member', scope: 'any' },
      schema: {
        summary: 'List the scopes of your personal key',
        tags: ['account'],
        response: { 200: callerScopes },
      },
    },
    async (request) => ({ scopes: [...(memberOf(request).scopes ?? keyScopeNames)] }),
  );
};

export const getProgress: Route<{ progress: ProgressHub }> = async (app, { services }) => {
  app.get(
    '/api/progress/:requestId',
    {
      config: { access: 'member', scope: 'any', streams: true },
      compress: false,
      schema: {
        summary: 'Watch the progress of a running call as server-sent events',
        tags: ['server'],
        produces: ['text/event-stream'],
        params: z.object({
          requestId: z.string().regex(/^[\w-]{1,64}$/, 'A request id is 1 to 64 letters, digits, - or _.'),
        }),
      },
    },
    async (request, reply) => {
      const ref = { userId: tabSessionOf(request).userId, requestId: request.params.requestId };
      reply.header('cache-control', 'no-store').type('text/event-stream');
      return reply.send(Readable.from(eventStream(services.progress, ref, request.clientGone)));
    },
  );
};

async function* eventStream(
  progress: ProgressHub,
  ref: CallRef,
  signal: AbortSignal,
): AsyncGenerator<string> {
  // Tells the client at once that the stream is open.
  yield ': open\n\n';
  for await (const event of progress.watch(ref, signal)) yield `data: ${JSON.stringify(event)}\n\n`;
  yield 'event: end\ndata: {}\n\n';
}
