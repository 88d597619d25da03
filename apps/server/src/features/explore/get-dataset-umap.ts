import { datasetId } from '@cellfolio/contract';
import type { DatasetManifest } from '@cellfolio/store';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isOwn } from '../catalogue/readable-datasets.ts';
import { visitors } from '../selection/selection.ts';
import { credentialsOf } from '../../runtime/http/access.ts';
import type { Services } from '../../boot/services.ts';
import type { Route } from '../../runtime/http/route.ts';

const aYear = 60 * 60 * 24 * 365;

/** The default UMAP of a dataset, coloured by cell type: the picture at its `umap_url`. */
export const getDatasetUmap: Route = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/umap.png',
    {
      config: {
        access: 'public',
        refusals: {
          401: 'The dataset is made of an upload, and the key or the token is missing or wrong.',
          403: 'The dataset is made of an upload, and the free trial of its owner has ended without a plan.',
          409: 'The dataset is made of an upload and is not ready, or it has been replaced just now.',
          503: 'The server cannot reach its datasets; `Retry-After` says when to come again.',
        },
      },
      schema: {
        summary: 'Get the default UMAP of a dataset as a PNG',
        description:
          'Anybody may see those of the catalogue. That of a dataset made of an upload needs the key and the token of its owner, as opening it does.',
        tags: ['datasets'],
        produces: ['image/png'],
        params: z.object({ datasetFilename: datasetId }),
        querystring: z.object({ version: z.string().max(128).optional() }),
      },
    },
    async (request, reply) => {
      const { datasetFilename: id } = request.params;
      const manifest = isOwn(id)
        ? await ownManifest(services, request, id)
        : await services.catalogue.manifest(id);
      const { version } = manifest;
      const etag = `"${version}"`;
      // Only an address that names this version may be kept without asking again; one's own is asked for each time.
      const lasting = request.query.version === version;
      const keeping = lasting ? `public, max-age=${aYear}, immutable` : 'public, no-cache';
      reply.header('etag', etag);
      reply.header('cache-control', isOwn(id) ? 'private, no-cache' : keeping);
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      const { bytes } = await services.figures.draw(
        { manifest, subset: undefined },
        { kind: 'category-umap' },
        { signal: request.clientGone, users: visitors, onProgress: () => undefined },
      );
      return reply.type('image/png').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
};

/** Throws ApiFailure as opening the dataset does. */
async function ownManifest(
  { access, readable }: Pick<Services, 'access' | 'readable'>,
  request: FastifyRequest,
  id: string,
): Promise<DatasetManifest> {
  const { userId } = await access.admit('explorer', credentialsOf(request));
  return readable.manifest(userId, id);
}
