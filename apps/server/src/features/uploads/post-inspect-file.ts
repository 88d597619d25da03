import { buildRequest, jobAnswer } from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../runtime/http/access.ts';
import { ownDataRefusals } from './own-data-refusals.ts';
import type { Route } from '../../runtime/http/route.ts';

/** Looks at one of the caller's files anew, and at what a build with these choices would take away. */
export const postInspectFile: Route = async (app, { services }) => {
  app.post(
    '/api/files/:fileId/inspect',
    {
      config: {
        access: 'member',
        refusals: {
          400: 'A choice is none that there is (`invalid_request`).',
          403: ownDataRefusals.plan,
          404: ownDataRefusals.file,
        },
      },
      schema: {
        summary: 'Look at one of your files anew',
        tags: ['own data'],
        params: z.object({ fileId: z.uuid() }),
        body: buildRequest.nullish(),
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const job = await services.jobs.inspect(
        memberOf(request).userId,
        params.fileId.toLowerCase(),
        body ?? {},
      );
      return reply.status(202).send({ job });
    },
  );
};
