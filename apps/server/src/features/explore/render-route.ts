import { maxRankingBytes, renamedSource, renderFigureRequest } from '@cellfolio/contract';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { datasetReplaced } from '../catalogue/index.ts';
import { subsetFilter, watched } from '../selection/index.ts';
import type { ExploreServices } from './explore-services.ts';

/**
 * A figure that was shown before, drawn again: as a file (PNG for the screen or for print, or SVG), for its place in a
 * page, or as the numbers behind it.
 */
export const postRenderFigure: Route<ExploreServices> = async (app, { services }) => {
  app.post(
    '/api/render-figure',
    {
      // The figure of a ranking has the ranking in its source.
      bodyLimit: maxRankingBytes,
      preValidation: async (request) => {
        const body: unknown = request.body;
        if (typeof body !== 'object' || body === null || !('source' in body)) return;
        request.body = { ...body, source: renamedSource(body.source) } as typeof request.body;
      },
      schema: {
        summary: 'Draw a figure again: as a file, for a place in a page, or as its numbers',
        tags: ['plots'],
        body: renderFigureRequest,
        produces: ['image/png', 'image/svg+xml', 'application/json'],
      },
    },
    async (request, reply) => {
      const { source, format, view, range, order, shown, theme } = request.body;
      const { userId } = tabSessionOf(request);
      const manifest = await services.readable.manifest(userId, source.dataset_filename);
      if (source.version !== undefined && source.version !== manifest.version) {
        throw datasetReplaced(manifest, 'this figure was drawn. Draw it again.');
      }
      const subset = source.subset && subsetFilter(source.subset);
      const columns = services.ownColumns;
      const drawn = source.annotations
        ? await columns.kept(userId, manifest, source.annotations)
        : await columns.named(userId, manifest, [source.content, subset]);
      const displays = await services.displays.kept(userId, manifest, source.displays);
      // An annotation that splits the map alone is as it is now.
      const splits = shown?.split === undefined ? [] : await columns.named(userId, manifest, [shown.split]);
      const own = [...drawn, ...splits.filter(({ name }) => !drawn.some((one) => one.name === name))];
      const { bytes, mediaType } = await watched(services, request, (waiting) =>
        services.figures.draw({ manifest, subset, own, displays }, source.content, waiting, {
          format,
          view,
          range,
          order,
          shown,
          theme,
        }),
      );
      return reply
        .type(mediaType)
        .header('x-content-type-options', 'nosniff')
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
};
