import { apiError } from '@cellfolio/contract';
import { z } from 'zod';
import type { Probes } from '../../services.ts';
import type { Route } from '../route.ts';

/** 200 when the process can serve, 503 when it cannot. */
export const getHealth: Route<Probes> = async (app, { services }) => {
  app.get(
    '/healthz',
    {
      config: { access: 'public' },
      logLevel: 'warn',
      schema: {
        summary: 'Ask whether the server can serve',
        tags: ['server'],
        response: {
          200: z.object({ status: z.literal('ok') }),
          503: apiError.describe('The server cannot serve now.'),
        },
      },
    },
    async (request, reply) => {
      try {
        await services.checkHealth();
        return { status: 'ok' as const };
      } catch (error) {
        request.log.error({ err: error }, 'not healthy');
        return reply.status(503).send({ code: 'unavailable', message: 'The database does not answer.' });
      }
    },
  );
};
