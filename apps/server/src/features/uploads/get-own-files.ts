import { ownFiles } from '@cellfolio/contract';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/route.ts';

/** What is known of the caller's uploads, and the jobs on them. */
export const getOwnFiles: Route = async (app, { services }) => {
  app.get(
    '/api/own-files',
    {
      config: { access: 'member' },
      schema: {
        summary: 'List what is known of your uploads, and the jobs on them',
        tags: ['own data'],
        response: { 200: ownFiles },
      },
    },
    async (request) => services.jobs.list(memberOf(request).userId),
  );
};
