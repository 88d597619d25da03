import { Readable } from 'node:stream';
import { z } from 'zod';
import type { CallRef, ProgressHub } from './progress-hub.ts';
import { screenOf } from '../http/access.ts';
import type { Route } from '../http/route.ts';

/** Progress of one of the caller's own running calls, as server-sent events. */
export const getProgress: Route = async (app, { services }) => {
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
      const ref = { userId: screenOf(request).userId, requestId: request.params.requestId };
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
