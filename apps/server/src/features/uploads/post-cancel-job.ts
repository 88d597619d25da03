import { jobAnswer } from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../runtime/http/access.ts';
import { ownDataRefusals } from './own-data-refusals.ts';
import type { Route } from '../../runtime/http/route.ts';

/** Stops one of the caller's jobs; one that has ended stays as it is. */
export const postCancelJob: Route = async (app, { services }) => {
  app.post(
    '/api/jobs/:jobId/cancel',
    {
      config: { access: 'member', refusals: { 404: ownDataRefusals.job } },
      schema: {
        summary: 'Stop one of your jobs',
        tags: ['own data'],
        params: z.object({ jobId: z.uuid() }),
        response: { 200: jobAnswer },
      },
    },
    async (request) => ({
      job: await services.jobs.cancel(memberOf(request).userId, request.params.jobId),
    }),
  );
};
