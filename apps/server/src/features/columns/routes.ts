import { ownerOf } from '../../runtime/owners.ts';
import { gunzipSync } from 'node:zlib';
import {
  cellQuery,
  columnQuery,
  datasetId,
  embeddingQuery,
  mapCell,
  mapColumnList,
  mapPoints,
  mapPointsRequest,
  maskColumnRequest,
  scoreColumnRequest,
} from '@cellfolio/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { callerOf, signInFirst } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { datasetReplaced, isOwn, type ReadableDatasets } from '../catalogue/index.ts';
import { type Selection, type SelectionServices, subsetFilter, watched } from '../selection/index.ts';
import type { RequestedColumn, MapColumns } from './map-columns.ts';

export interface ColumnServices extends SelectionServices {
  readable: ReadableDatasets;
  mapColumns: MapColumns;
}

const dataset = z.object({ datasetFilename: datasetId });
const named = dataset.extend({ name: z.string().max(500) });
const binary = ['application/octet-stream'];
const tags = ['maps'];

/** The dataset of a call, with the caller's access checked. Throws ApiFailure 404, 409. */
async function selectionOf(
  { readable, ownColumns }: ColumnServices,
  request: FastifyRequest,
  {
    id,
    version,
    subset,
    all,
    names,
  }: {
    id: string;
    version: string | undefined;
    subset?: Selection['subset'];
    all?: true;
    /** More of the call that can name columns. */
    names?: unknown;
  },
): Promise<Selection> {
  const caller = callerOf(request);
  const manifest = await readable.manifest(caller, id);
  if (version !== undefined && version !== manifest.version) {
    throw datasetReplaced(manifest, 'it was opened here. Open it again.');
  }
  if (!caller) return { manifest, subset, own: [] };
  const owner = ownerOf(caller);
  const own = all
    ? await ownColumns.all(owner, manifest)
    : await ownColumns.named(owner, manifest, [request.params, request.query, subset, names]);
  return { manifest, subset, own };
}

/**
 * Responds with `make` unless the client has this version already. An address that names the version of a catalogue
 * dataset can be cached for ever; a user's own data is revalidated each time.
 */
async function answerKept<T>(
  services: ColumnServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { selection, lasting }: { selection: Selection; lasting: boolean },
  make: (call: CallContext) => Promise<T>,
): Promise<T | undefined> {
  const { id, version } = selection.manifest;
  const { own = [] } = selection;
  const etag = `"${[version, ...own.map((column) => `${column.id}/${column.revision}`)].join(' ')}"`;
  const cacheControl =
    lasting && !isOwn(id) && own.length === 0 ? 'private, max-age=31536000, immutable' : 'private, no-cache';
  reply.header('etag', etag).header('cache-control', cacheControl);
  if (request.headers['if-none-match'] === etag) {
    await reply.status(304).send();
    return undefined;
  }
  return watched(services, request, make);
}

function sendPacked(request: FastifyRequest, reply: FastifyReply, packed: Uint8Array): FastifyReply {
  reply
    .type('application/octet-stream')
    .header('x-content-type-options', 'nosniff')
    .header('vary', 'accept-encoding');
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(
    String(request.headers['accept-encoding'] ?? ''),
  );
  if (!takesGzip) return reply.send(gunzipSync(packed));
  return reply
    .header('content-encoding', 'gzip')
    .send(Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength));
}

const getColumns: Route<ColumnServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/columns',
    {
      config: { scope: 'read', visitors: 'public' },
      schema: {
        summary: 'List what a map of the cells can be colored by',
        tags,
        params: dataset,
        querystring: columnQuery,
        response: { 200: mapColumnList },
      },
    },
    async (request, reply) => {
      const { version } = request.query;
      const { datasetFilename: id } = request.params;
      const selection = await selectionOf(services, request, { id, version, all: true });
      // There may be another annotation soon.
      const about = { selection, lasting: false };
      const list = await answerKept(services, request, reply, about, (call) =>
        services.mapColumns.list(selection, call),
      );
      return list ?? reply;
    },
  );
};

function columnRoute<Query extends typeof columnQuery>(
  path: string,
  summary: string,
  query: Query,
  requestOf: (name: string, query: z.output<Query>) => RequestedColumn,
): Route<ColumnServices> {
  return async (app, { services }) => {
    app.get(
      `/api/datasets/:datasetFilename/columns/${path}/:name`,
      {
        compress: false,
        config: { scope: 'export', visitors: 'public' },
        schema: { summary, tags, params: named, querystring: query, produces: binary },
      },
      async (request, reply) => {
        const { datasetFilename: id, name } = request.params;
        const parsedQuery = request.query as z.output<Query>;
        const { version } = parsedQuery;
        const selection = await selectionOf(services, request, { id, version });
        const about = { selection, lasting: version !== undefined };
        const packed = await answerKept(services, request, reply, about, (call) =>
          services.mapColumns.packed(selection, requestOf(name, parsedQuery), call),
        );
        return packed ? sendPacked(request, reply, packed) : reply;
      },
    );
  };
}

const getEmbedding = columnRoute(
  'embedding',
  'Get the positions of all cells in two axes of an embedding',
  embeddingQuery,
  (name, { axes, square }) => {
    if (square === undefined) return { from: 'embedding', name, axes };
    const [left, bottom, side] = square;
    return { from: 'embedding', name, axes, square: { left, bottom, side } };
  },
);

const getObs = columnRoute('obs', 'Get a column of obs for all cells', columnQuery, (name) => ({
  from: 'obs',
  name,
}));

const getGene = columnRoute('gene', 'Get the expression of a gene in all cells', columnQuery, (name) => ({
  from: 'gene',
  name,
}));

const getCell: Route<ColumnServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/columns/cell/:place',
    {
      config: { scope: 'read', visitors: 'public' },
      schema: {
        summary: 'Get exact values of one cell',
        tags,
        params: dataset.extend({ place: z.coerce.number().int().min(0) }),
        querystring: cellQuery,
        response: { 200: mapCell },
      },
    },
    async (request) => {
      const { datasetFilename: id, place } = request.params;
      const { version, gene: genes, obs } = request.query;
      const selection = await selectionOf(services, request, { id, version });
      return watched(services, request, (call) =>
        services.mapColumns.cell(selection, { place, obs, genes }, call),
      );
    },
  );
};

const postScore: Route<ColumnServices> = async (app, { services }) => {
  app.post(
    '/api/datasets/:datasetFilename/columns/score',
    {
      config: { scope: 'export' },
      compress: false,
      schema: {
        summary: 'Score the cells of a subset, as a column for a map',
        tags,
        params: dataset,
        body: scoreColumnRequest,
        produces: binary,
      },
    },
    async (request, reply) => {
      const { score, subset, version } = request.body;
      const selection = await selectionOf(services, request, {
        id: request.params.datasetFilename,
        version,
        subset: subset && subsetFilter(subset),
      });
      const packed = await watched(services, request, (call) =>
        services.mapColumns.packed(selection, { from: 'score', score }, call),
      );
      return sendPacked(request, reply, packed);
    },
  );
};

const postMask: Route<ColumnServices> = async (app, { services }) => {
  app.post(
    '/api/datasets/:datasetFilename/columns/mask',
    {
      config: { scope: 'export' },
      compress: false,
      schema: {
        summary: 'Get which cells a filter keeps, as a column for a map',
        tags,
        params: dataset,
        body: maskColumnRequest,
        produces: binary,
      },
    },
    async (request, reply) => {
      const { subset, version } = request.body;
      const selection = await selectionOf(services, request, {
        id: request.params.datasetFilename,
        version,
        subset: subsetFilter(subset),
      });
      const packed = await watched(services, request, (call) =>
        services.mapColumns.packed(selection, { from: 'mask' }, call),
      );
      return sendPacked(request, reply, packed);
    },
  );
};

const postPoints: Route<ColumnServices> = async (app, { services }) => {
  app.post(
    '/api/datasets/:datasetFilename/columns/points',
    {
      config: { scope: 'analyse', visitors: 'demo' },
      compress: false,
      schema: {
        summary: 'Get the points of a map, a sample of many cells, in pieces',
        tags,
        params: dataset,
        body: mapPointsRequest,
        response: { 200: mapPoints },
      },
    },
    async (request) => {
      const { embedding, color, subset, version, from } = request.body;
      if (request.visitor && subset) throw signInFirst();
      const selection = await selectionOf(services, request, {
        id: request.params.datasetFilename,
        version,
        subset: subset && subsetFilter(subset),
        names: color,
      });
      return watched(services, request, (call) =>
        services.mapColumns.points(selection, { embedding, color, from }, call),
      );
    },
  );
};

export const columnsRoutes = [
  getColumns,
  getEmbedding,
  getObs,
  getGene,
  getCell,
  postScore,
  postMask,
  postPoints,
];
