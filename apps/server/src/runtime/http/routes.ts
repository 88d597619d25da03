import { Readable } from 'node:stream';
import { apiError } from '@cellfolio/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Metrics } from '../observability/metrics.ts';
import type { CallRef, ProgressHub } from '../progress/progress-hub.ts';
import { tabSessionOf } from './access.ts';

/** A call: schemas in it type its handler. `Needs` are the services that it works with. */
export type Route<Needs> = FastifyPluginAsyncZod<{ services: Needs }>;

/** Whether a process can be sent calls, for those who send them. */
export interface Probes {
  /** What keeps the process from being sent calls, in words without secrets; undefined when nothing does. */
  readonly missing: () => Promise<string | undefined>;
}

/** 200 while the process answers at all. It asks nobody: a database that is slow is no reason to restart a process. */
export const getHealth: Route<object> = async (app) => {
  app.get(
    '/healthz',
    {
      config: { access: 'public' },
      logLevel: 'warn',
      schema: {
        summary: 'Ask whether the process answers',
        tags: ['server'],
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
};

/** All numbers of this process, as Prometheus asks for them. Only ever on a port of its own. */
export const getMetrics: FastifyPluginAsyncZod<{ metrics: Metrics }> = async (app, { metrics }) => {
  app.get('/metrics', { config: { access: 'public' }, logLevel: 'warn' }, async (_request, reply) => {
    const { type, body } = await metrics.text();
    return reply.type(type).send(body);
  });
};

/** The description of these calls, made from their schemas. */
export const getOpenApi: Route<object> = async (app) => {
  app.get('/api/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
};

/** 200 when calls may be sent here, 503 before that, when something that is needed is gone, and once it is stopping. */
export const getReady: Route<Probes> = async (app, { services }) => {
  app.get(
    '/readyz',
    {
      config: { access: 'public' },
      logLevel: 'warn',
      schema: {
        summary: 'Ask whether calls may be sent to this process',
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

/** Progress of one of the caller's own running calls, as server-sent events. */
export const getProgress: Route<{ progress: ProgressHub }> = async (app, { services }) => {
  app.get(
    '/api/progress/:requestId',
    {
      config: { access: 'member', streams: true },
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
  // A first byte at once tells the client that the stream is open.
  yield ': open\n\n';
  for await (const event of progress.watch(ref, signal)) yield `data: ${JSON.stringify(event)}\n\n`;
  yield 'event: end\ndata: {}\n\n';
}
