import { apiHeaders } from '@cellfolio/contract';
import fastifyPlugin from 'fastify-plugin';
import { softwareVersion } from '../software.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Dates such as `2027-01-31`: since when the call is deprecated, and before which no version removes it. */
    deprecated?: Readonly<{ since: string; sunset: string }>;
  }
}

/**
 * Sends the version of the server in each answer of `/api`, also when it refuses the call or has no such route, and the
 * dates of deprecated calls: `Deprecation` (RFC 9745, seconds since 1970) and `Sunset` (RFC 8594, an HTTP date).
 */
export const versionHeadersPlugin = fastifyPlugin(async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header(apiHeaders.version, softwareVersion);
    const { deprecated } = request.routeOptions.config;
    if (!deprecated) return;
    reply.header('deprecation', `@${Date.parse(deprecated.since) / 1000}`);
    reply.header('sunset', new Date(deprecated.sunset).toUTCString());
  });
});
