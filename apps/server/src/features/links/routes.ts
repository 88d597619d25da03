import { explorerLink, explorerLinkRequest, openedLink } from '@cellfolio/contract';
import { z } from 'zod';
import { documentRoutes } from '../../runtime/http/document-routes.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { ExplorerLinks } from './explorer-links.ts';

export interface LinkServices {
  links: ExplorerLinks;
}

const linkRoutes: Route<LinkServices> = async (app, { services: { links } }) => {
  const routes = documentRoutes(app, {
    tag: 'links',
    access: 'member',
    all: '/api/links',
    one: '/api/links/:linkId',
    id: z.string().max(100),
  });
  routes.get({
    summary: 'Ask where a short link leads',
    refusals: { 404: 'The link does not exist or was deleted.' },
    answer: openedLink,
    run: ({ id }) => links.open(id),
  });
  routes.create({
    summary: 'Make a short link to a view of the explorer',
    refusals: { 404: 'No such annotation of yours.' },
    input: explorerLinkRequest,
    answer: explorerLink,
    run: ({ owner }, { address, ...labels }) => links.make(owner, address, labels),
  });
};

export const linksRoutes = [linkRoutes];
