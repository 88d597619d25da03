import { explorerLink, explorerLinkRequest, openedLink } from '@cellfolio/contract';
import { z } from 'zod';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { ExplorerLinks } from './explorer-links.ts';

export interface LinkServices {
  links: ExplorerLinks;
}

const getLink: Route<LinkServices> = async (app, { services }) => {
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
        response: { 200: openedLink },
      },
    },
    async (request) => services.links.open(request.params.linkId),
  );
};

const postLink: Route<LinkServices> = async (app, { services }) => {
  app.post(
    '/api/links',
    {
      config: { access: 'member', refusals: { 404: 'No such annotation of yours.' } },
      schema: {
        summary: 'Make a short link to a view of the explorer',
        tags: ['links'],
        body: explorerLinkRequest,
        response: { 200: explorerLink },
      },
    },
    async (request) => {
      const { address, ...labels } = request.body;
      return services.links.make(memberOf(request).userId, address, labels);
    },
  );
};

export const linksRoutes = [getLink, postLink];
