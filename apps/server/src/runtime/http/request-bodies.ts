import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

export interface RequestBodiesOptions {
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
