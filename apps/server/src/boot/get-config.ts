import { publicConfig } from '@cellfolio/contract';
import type { FastifyRequest } from 'fastify';
import type { Route } from '../runtime/http/routes.ts';
import type { Services } from './services.ts';

/** The public settings of the web app. */
export const getConfig: Route<Pick<Services, 'publicConfig' | 'siteUrl'>> = async (app, { services }) => {
  app.get(
    '/config.json',
    {
      config: { access: 'public' },
      schema: {
        summary: 'Read the public settings of the server',
        tags: ['server'],
        response: { 200: publicConfig },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      // Whoever opened the site as localhost stays on localhost: nothing becomes a cross-origin call.
      const origin = services.siteUrl ?? `${request.protocol}://${request.host}`;
      const { demoAccounts, ...told } = services.publicConfig;
      return {
        ...told,
        ...(demoAccounts && isOfThisMachine(request) && { demoAccounts }),
        supabaseUrl: origin,
        analysisUrl: origin,
      };
    },
  );
};

/**
 * Whether a browser on this machine asks, under a name of this machine. A page elsewhere can have its own name lead to
 * loopback, and so can a proxy that nobody has told us of.
 */
function isOfThisMachine({ hostname, headers }: FastifyRequest): boolean {
  const forwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];
  return (
    /^(?:localhost|127\.0\.0\.1|\[?::1\]?)$/i.test(hostname) &&
    forwarded.every((name) => !Object.hasOwn(headers, name))
  );
}
