import { embedHtml, embedSizes, oembedAnswer, oembedQuery, readEmbeddedView } from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { type Route, siteOrigin } from '../../runtime/http/routes.ts';
import type { Catalogue } from '../catalogue/index.ts';

export interface EmbeddingServices {
  catalogue: Catalogue;
  /** Sites that may frame views; without any, embedding is off. */
  embedOrigins: readonly string[];
  siteUrl: string | undefined;
}

/** Seconds: a dataset may be removed or renamed. */
const cacheAge = 3600;

/** Answers about public datasets alone, which anybody may list; of all others it does not say whether they exist. */
const getOembed: Route<EmbeddingServices> = async (app, { services }) => {
  const { catalogue, embedOrigins, siteUrl } = services;
  app.get(
    '/oembed',
    {
      config: { access: 'public' },
      // Its document is the specification of oEmbed: consumers know it, and clients of `/api` have no use for it.
      schema: { hide: true, querystring: oembedQuery, response: { 200: oembedAnswer } },
    },
    async (request, reply) => {
      const { url, format, maxwidth = Infinity, maxheight = Infinity } = request.query;
      if (format !== 'json') {
        throw new ApiFailure(501, 'format_not_offered', `Only the format json is offered: leave out format.`);
      }
      if (embedOrigins.length === 0) {
        throw new ApiFailure(404, 'embedding_off', 'Embedding is off on this server.');
      }
      const site = siteOrigin(request, siteUrl);
      const address = URL.parse(url);
      const view = address?.origin === site ? readEmbeddedView(address) : undefined;
      const dataset = view && (await catalogue.find(view.dataset));
      if (view === undefined || dataset === undefined) {
        const message = 'The address is no view of a public dataset of this server.';
        throw new ApiFailure(404, 'view_not_found', message);
      }
      const title = dataset.catalogue.name;
      const [, { width, height }] = embedSizes;
      const size = { width: Math.min(width, maxwidth), height: Math.min(height, maxheight) };
      reply.header('cache-control', `public, max-age=${cacheAge}`);
      return {
        version: '1.0' as const,
        type: 'rich' as const,
        provider_name: 'Cellfolio' as const,
        provider_url: site,
        title,
        cache_age: cacheAge,
        html: embedHtml(view, { site, title, ...size }),
        ...size,
      };
    },
  );
};

export const embeddingRoutes = [getOembed];
