import { publicConfig } from '@cellfolio/contract';
import type { Route } from '../route.ts';

/** The public settings of the web app. */
export const getConfig: Route = async (app, { services }) => {
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
      return { ...services.publicConfig, supabaseUrl: origin, analysisUrl: origin };
    },
  );
};
