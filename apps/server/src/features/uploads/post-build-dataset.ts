import { buildRequest, jobAnswer } from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../runtime/http/access.ts';
import { ownDataRefusals } from './own-data-refusals.ts';
import type { Route } from '../../runtime/http/route.ts';

/** Begins to make the dataset of an .h5ad anew, with other columns or settings. */
export const postBuildDataset: Route = async (app, { services }) => {
  app.post(
    '/api/files/:fileId/build',
    {
      config: {
        access: 'member',
        refusals: {
          400: 'The file or a choice is none that a dataset can be made of (`not_buildable`, `invalid_request`), or what its values are has to be said (`answer_needed`).',
          403: ownDataRefusals.plan,
          404: ownDataRefusals.file,
          409: 'The file was replaced and is being inspected anew (`file_replaced`).',
          429: ownDataRefusals.tooMany,
        },
      },
      schema: {
        summary: 'Make the dataset of an AnnData file anew',
        tags: ['own data'],
        params: z.object({ fileId: z.uuid() }),
        body: buildRequest,
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const { fileId } = request.params;
      const job = await services.jobs.build(memberOf(request).userId, fileId.toLowerCase(), request.body);
      return reply.status(202).send({ job });
    },
  );
};
