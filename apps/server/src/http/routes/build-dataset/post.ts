import { buildRequest, jobAnswer } from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../plugins/access.ts';
import type { Route } from '../route.ts';

/** Begins to make the dataset of an .h5ad anew, with other columns or settings. */
export const postBuildDataset: Route = async (app, { services }) => {
  app.post(
    '/api/files/:fileId/build',
    {
      config: { access: 'member' },
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
