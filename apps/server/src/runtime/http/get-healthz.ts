import { z } from 'zod';
import type { Route } from './route.ts';

/** 200 while the process answers at all. It asks nobody: a database that is slow is no reason to restart a process. */
export const getHealth: Route<object> = async (app) => {
  app.get(
    '/healthz',
    {
      config: { access: 'public' },
      logLevel: 'warn',
      schema: {
        summary: 'Ask whether the process answers',
        tags: ['server'],
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
};
