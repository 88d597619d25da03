import { setImmediate as turn } from 'node:timers/promises';
import fastifyPlugin from 'fastify-plugin';

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
