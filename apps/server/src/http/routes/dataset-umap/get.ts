import { z } from 'zod';
import type { Route } from '../route.ts';

const aYear = 60 * 60 * 24 * 365;

/** The default UMAP of a public dataset, coloured by cell type: the picture at its `umap_url`. */
export const getDatasetUmap: Route = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/umap.png',
    {
      config: { access: 'public' },
      schema: {
        params: z.object({ datasetFilename: z.string().min(1).max(200) }),
        querystring: z.object({ version: z.string().max(128).optional() }),
      },
    },
    async (request, reply) => {
      const { id, version } = await services.catalogue.manifest(request.params.datasetFilename);
      const etag = `"${version}"`;
      // Only an address that names this version may be kept without asking again.
      const lasting = request.query.version === version;
      reply.header('etag', etag);
      reply.header('cache-control', lasting ? `public, max-age=${aYear}, immutable` : 'public, no-cache');
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      const { png } = await services.figures.draw(
        { kind: 'default-umap', dataset: { id, version } },
        request.clientGone,
      );
      return reply.type('image/png').send(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    },
  );
};
