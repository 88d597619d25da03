import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborts when the client disconnects before the response is sent. */
    clientGone: AbortSignal;
  }
}

/**
 * Sets `clientGone`. Fastify's own `request.signal` listens to the incoming message, which closes as soon as the body of
 * a POST has been read, and then never aborts.
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
  milliseconds: number;
  /** Maximum length of a body that is read and dropped to keep the connection of a refused call. */
  droppedBytes: number;
}

/**
 * Closes the connection when a body does not arrive in time, or is long and its call was refused before it was read:
 * Node would read the rest to keep the connection. Uploads are exempt: the storage service detects stalls itself.
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

const idleCheckMilliseconds = 1000;

/**
 * Closes all keep-alive connections at shutdown. Node closes those that are idle then; one whose call ends later would
 * otherwise delay the shutdown until its timeout, more than a minute.
 */
export const gracefulClosePlugin = fastifyPlugin(async (app) => {
  let closing = false;
  let idleCheck: NodeJS.Timeout | undefined;
  app.addHook('onSend', async (_request, reply) => {
    if (closing) void reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    // For responses whose headers were sent before. Received data is read first: its connection is not idle.
    idleCheck = setInterval(() => {
      setImmediate(() => app.server.closeIdleConnections());
    }, idleCheckMilliseconds);
    await turn();
  });
  app.addHook('onClose', async () => clearInterval(idleCheck));
});
