import { explorerLink, explorerLinkRequest } from '@cellfolio/contract';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/route.ts';

/** A short link to a view of the explorer. */
export const postLink: Route = async (app, { services }) => {
  app.post(
    '/api/links',
    {
      config: { access: 'member' },
      schema: {
        summary: 'Make a short link to a view of the explorer',
        tags: ['links'],
        body: explorerLinkRequest,
        response: { 200: explorerLink },
      },
    },
    async (request) => services.links.make(memberOf(request).userId, request.body.address),
  );
};
