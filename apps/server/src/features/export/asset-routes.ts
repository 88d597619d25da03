import { Readable } from 'node:stream';
import { assetList, datasetId } from '@cellfolio/contract';
import { requestedRange } from '@cellfolio/platform';
import type { Dataset } from '@cellfolio/store';
import { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { streamAnswer } from '../../runtime/http/stream-answer.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';
import { attachment, type ExportingServices } from './attachment.ts';

export interface AssetServices extends Pick<ExportingServices, 'exports'> {
  readable: ReadableDatasets;
  datasets: Pick<OpenDatasets, 'get'>;
}

const dataset = z.object({ datasetFilename: datasetId });
const pieceBytes = 4 * 2 ** 20;

const getAssets: Route<AssetServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/assets',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'List the files that belong to a dataset',
        description:
          'Images, tables and the like in `uns/cellfolio_assets` of its file. They are kept and not interpreted.',
        tags: ['datasets'],
        params: dataset,
        response: { 200: assetList },
      },
    },
    async (request) => {
      const { id, version } = await services.readable.manifest(
        memberOf(request),
        request.params.datasetFilename,
      );
      const { assets } = await services.datasets.get({ id, version });
      return { version, assets: assets.map(({ name, size }) => ({ name, size })) };
    },
  );
};

const getAsset: Route<AssetServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/assets/:name',
    {
      config: { scope: 'export' },
      // Compressed, they would not be the bytes that a range counts.
      compress: false,
      schema: {
        summary: 'Download a file that belongs to a dataset',
        description: 'All of it, or the bytes of one `Range`.',
        tags: ['datasets'],
        params: dataset.extend({ name: z.string().min(1).max(255) }),
        produces: ['application/octet-stream'],
      },
    },
    async (request, reply) => {
      const { datasetFilename, name } = request.params;
      const { clientGone: signal, headers } = request;
      const caller = memberOf(request);
      const { id, version } = await services.readable.manifest(caller, datasetFilename);
      const opened = await services.datasets.get({ id, version });
      const size = opened.assets.find((asset) => asset.name === name)?.size;
      if (size === undefined) {
        throw new ApiFailure(404, 'asset_not_found', `The dataset has no file “${name}”.`);
      }
      const etag = `"${version}"`;
      reply
        .header('etag', etag)
        .header('cache-control', 'private, no-cache')
        .header('accept-ranges', 'bytes')
        // Files of strangers: never a page of this origin.
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .header('content-disposition', attachment(name));
      if (headers['if-none-match'] === etag) return reply.status(304).send();
      const range = requestedRange(request, reply, { size, validators: [etag] });
      if (range === 'unsatisfiable')
        throw new ApiFailure(416, 'range_not_satisfiable', `“${name}” has ${size} bytes.`);
      const { offset, length } = range ?? { offset: 0, length: size };
      reply.type('application/octet-stream').header('content-length', length);
      // The framework would read all of an answer to HEAD and throw it away.
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      const leave = await services.exports.enter(caller.userId, signal);
      return reply.send(
        streamAnswer(request, reply, bytesOf(opened, name, { offset, length }, signal), {
          onEnd: leave,
          othersWait: () => services.exports.isCrowded,
        }),
      );
    },
  );
};

async function* bytesOf(
  opened: Pick<Dataset, 'asset'>,
  name: string,
  { offset, length }: { offset: number; length: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const end = offset + length;
  for (let from = offset; from < end; from += pieceBytes)
    yield await opened.asset(name, { from, to: Math.min(end, from + pieceBytes) }, signal);
}

export const assetRoutes = [getAssets, getAsset];
