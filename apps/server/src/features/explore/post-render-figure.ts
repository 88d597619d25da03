import { renamedSource, renderFigureRequest } from '@cellfolio/contract';
import { subsetFilter } from '../selection/subset-filter.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { watched } from '../selection/active-cells.ts';
import { screenOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/route.ts';

/**
 * A figure that was shown before, drawn again: as a file (PNG for the screen or for print, or SVG), for its place in a
 * page, or as the numbers behind it.
 */
export const postRenderFigure: Route = async (app, { services }) => {
  app.post(
    '/api/render-figure',
    {
      compress: false,
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
      const { source, format, view, range } = request.body;
      const { userId } = screenOf(request);
      const manifest = await services.readable.manifest(userId, source.dataset_filename);
      if (source.version !== undefined && source.version !== manifest.version) {
        throw new ApiFailure(
          409,
          'dataset_changed',
          `The dataset ${manifest.id} has been replaced since this figure was drawn. Draw it anew.`,
        );
      }
      const subset = source.subset && subsetFilter(source.subset);
      const { bytes, mediaType } = await watched(services, request, (waiting) =>
        services.figures.draw({ manifest, subset }, source.content, waiting, {
          format,
          ...(view && { view }),
          ...(range && { range }),
        }),
      );
      return reply
        .type(mediaType)
        .header('x-content-type-options', 'nosniff')
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
};
