import { apiError } from '@cellfolio/contract';
import { z } from 'zod';
import type { Probes } from '../../boot/services.ts';
import type { Route } from './route.ts';

/** 200 when calls may be sent here, 503 before that, when something that is needed is gone, and once it is stopping. */
export const getReady: Route<Probes> = async (app, { services }) => {
  app.get(
    '/readyz',
    {
      config: { access: 'public' },
      logLevel: 'warn',
      schema: {
        summary: 'Ask whether calls may be sent to this process',
        tags: ['server'],
        response: {
          200: z.object({ status: z.literal('ready') }),
          503: apiError.describe('Send calls to another process.'),
        },
      },
    },
    async (_request, reply) => {
      const missing = await services.missing();
      if (missing === undefined) return { status: 'ready' as const };
      return reply.status(503).send({ code: 'not_ready', message: missing });
    },
  );
};
