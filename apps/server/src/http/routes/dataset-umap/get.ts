import { datasetId } from '@cellfolio/contract';
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
        summary: 'Get the default UMAP of a dataset as a PNG',
        tags: ['datasets'],
        produces: ['image/png'],
        params: z.object({ datasetFilename: datasetId }),
        querystring: z.object({ version: z.string().max(128).optional() }),
      },
    },
    async (request, reply) => {
      const manifest = await services.catalogue.manifest(request.params.datasetFilename);
      const { version } = manifest;
      const etag = `"${version}"`;
      // Only an address that names this version may be kept without asking again.
      const lasting = request.query.version === version;
      reply.header('etag', etag);
      reply.header('cache-control', lasting ? `public, max-age=${aYear}, immutable` : 'public, no-cache');
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      const { bytes } = await services.figures.draw(
        { manifest, subset: undefined },
        { kind: 'default-umap' },
        { signal: request.clientGone, onProgress: () => undefined },
      );
      return reply.type('image/png').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
};
