import { explorerLink } from '@cellfolio/contract';
import { z } from 'zod';
import type { Route } from '../../runtime/http/route.ts';

/** Where a short link leads; whoever is signed in may ask. */
export const getLink: Route = async (app, { services }) => {
  app.get(
    '/api/links/:linkId',
    {
      config: {
        access: 'member',
        refusals: { 404: 'There is no such link: it was never made, or it was deleted.' },
      },
      schema: {
        summary: 'Ask where a short link leads',
        tags: ['links'],
        params: z.object({ linkId: z.string().max(100) }),
        response: { 200: explorerLink },
      },
    },
    async (request) => services.links.open(request.params.linkId),
  );
};
