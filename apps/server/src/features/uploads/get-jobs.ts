import { jobAnswer } from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../runtime/http/access.ts';
import { ownDataRefusals } from './own-data-refusals.ts';
import type { Route } from '../../runtime/http/route.ts';

/** How far one of the caller's jobs is. */
export const getJob: Route = async (app, { services }) => {
  app.get(
    '/api/jobs/:jobId',
    {
      config: { access: 'member', refusals: { 404: ownDataRefusals.job } },
      logLevel: 'warn',
      schema: {
        summary: 'Ask how far one of your jobs is',
        tags: ['own data'],
        params: z.object({ jobId: z.uuid() }),
        response: { 200: jobAnswer },
      },
    },
    async (request) => ({
      job: await services.jobs.get(memberOf(request).userId, request.params.jobId),
    }),
  );
};
