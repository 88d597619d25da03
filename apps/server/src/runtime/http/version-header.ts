import { apiHeaders } from '@cellfolio/contract';
import fastifyPlugin from 'fastify-plugin';
import { softwareVersion } from '../software.ts';

/** Sends the version of the server in each answer of `/api`, also when it refuses the call or has no such route. */
export const versionHeaderPlugin = fastifyPlugin(async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header(apiHeaders.version, softwareVersion);
  });
});
