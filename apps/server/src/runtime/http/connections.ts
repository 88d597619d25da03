import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
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

interface RequestBodiesOptions {
  /** Longest time that a body may take to arrive. */
  readonly milliseconds: number;
  /** Longest body that is still read, and dropped, where its call was refused before. */
  readonly droppedBytes: number;
}

/**
 * Hangs up on a caller whose body is not there in time: each that sends a byte now and then would keep a connection, and
 * what it has sent, for ever. And on a caller whose call was refused before its body was read, where that is long: Node
 * reads what is left of it for the sake of the connection. Files may take as long as they come; the service that takes
 * them watches for stalls itself.
 */
export const requestBodiesPlugin = fastifyPlugin<RequestBodiesOptions>(
  async (app, { milliseconds, droppedBytes }) => {
    app.addHook('onRequest', async (request, reply) => {
      if (!hasBody(request)) return;
      const { raw } = request;
      const timer = setTimeout(() => {
        if (!raw.complete) raw.socket.destroy();
      }, milliseconds);
      timer.unref();
      reply.raw.once('close', () => clearTimeout(timer));
    });
    app.addHook('onSend', async (request, reply) => {
      if (!hasBody(request) || request.raw.complete) return;
      const { 'content-length': length } = request.headers;
      if (length === undefined || Number(length) > droppedBytes) reply.header('connection', 'close');
    });
  },
);

function hasBody({ headers, url }: FastifyRequest): boolean {
  if (url.startsWith('/storage/v1/')) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const lookMilliseconds = 1000;

/**
 * Lets go of connections when the server closes. Closing ends those that are idle then; one whose call is answered later
 * would be kept by its browser or proxy for the next call, and waited for until that gives up, for more than a minute.
 */
export const gracefulClosePlugin = fastifyPlugin(async (app) => {
  let closing = false;
  let looking: NodeJS.Timeout | undefined;
  app.addHook('onSend', async (_request, reply) => {
    if (closing) void reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    // For answers whose head had gone out. What has come in meanwhile is read first: its connection is not idle.
    looking = setInterval(() => {
      setImmediate(() => app.server.closeIdleConnections());
    }, lookMilliseconds);
    await turn();
  });
  app.addHook('onClose', async () => clearInterval(looking));
});
