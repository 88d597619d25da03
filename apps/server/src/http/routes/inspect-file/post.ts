import { jobAnswer } from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../plugins/access.ts';
import { ownDataRefusals } from '../own-data-refusals.ts';
import type { Route } from '../route.ts';

/** Looks at one of the caller's files anew. */
export const postInspectFile: Route = async (app, { services }) => {
  app.post(
    '/api/files/:fileId/inspect',
    {
      config: {
        access: 'member',
        refusals: { 403: ownDataRefusals.plan, 404: ownDataRefusals.file },
      },
      schema: {
        summary: 'Look at one of your files anew',
        tags: ['own data'],
        params: z.object({ fileId: z.uuid() }),
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const job = await services.jobs.inspect(memberOf(request).userId, request.params.fileId.toLowerCase());
      return reply.status(202).send({ job });
    },
  );
};
