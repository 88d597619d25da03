import { convertRequest, jobAnswer } from '@cellfolio/contract';
import { memberOf } from '../../runtime/http/access.ts';
import { ownDataRefusals } from './own-data-refusals.ts';
import type { Route } from '../../runtime/http/route.ts';

/** Begins to make an AnnData file of a matrix and its two tables. */
export const postConvert: Route = async (app, { services }) => {
  app.post(
    '/api/convert',
    {
      config: {
        access: 'member',
        refusals: {
          400: 'The files are not one matrix and two tables (`not_convertible`, `invalid_request`).',
          403: ownDataRefusals.plan,
          404: ownDataRefusals.file,
          409: 'One of the files is being converted already (`already_converting`).',
          429: ownDataRefusals.tooMany,
        },
      },
      schema: {
        summary: 'Make an AnnData file of a matrix and its two tables',
        tags: ['own data'],
        body: convertRequest,
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const job = await services.jobs.convert(memberOf(request).userId, request.body);
      return reply.status(202).send({ job });
    },
  );
};
