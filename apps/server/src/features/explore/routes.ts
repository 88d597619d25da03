import {
  maxRankingBytes,
  type CategoryDisplay,
  type DatasetAnalysis,
  datasetAnalysis,
  datasetId,
  plotCellStateAnswer,
  plotCellStateRequest,
  plotIsolatedCellTypesAnswer,
  plotIsolatedCellTypesRequest,
  plotSignatureAnswer,
  plotSignatureRequest,
  plotUmapWithGenesAnswer,
  plotUmapWithGenesRequest,
  renamedSource,
  renderFigureRequest,
} from '@cellfolio/contract';
import type { DatasetManifest } from '@cellfolio/store';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sampleColumn } from '../../runtime/sample-column.ts';
import { inDisplayOrder } from '../../runtime/compute/category-display.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import {
  countsOf,
  datasetReplaced,
  leftOutCautions,
  listedCategories,
  listedFields,
  listedGenes,
  metadataCounts,
  umapUrl,
  unlabelledCells,
  type Catalogue,
  isOwn,
  type ReadableDatasets,
} from '../catalogue/index.ts';
import type { AccessPolicy } from '../../runtime/http/access.ts';
import type { FigureService } from './figures.ts';
import { jsonOf, plotCellState, plotGenes, plotIsolatedCellTypes, plotSignature } from './plots.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { credentialsOf, tabSessionOf } from '../../runtime/http/access.ts';
import { streamAnswer } from '../../runtime/http/stream-answer.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { NamedScores } from '../scores/index.ts';
import {
  onActiveCells,
  type SelectionServices,
  subsetFilter,
  visitors,
  watched,
} from '../selection/index.ts';

/** What the explorer needs to know of a dataset before anything is drawn. */
async function analyseDataset(
  manifest: DatasetManifest,
  datasets: OpenDatasets,
  displays: readonly CategoryDisplay[],
): Promise<DatasetAnalysis> {
  const dataset = await datasets.get(manifest);
  const { roles, processing } = manifest;
  const [cellTypeCounts, clusterCounts, metadata] = await Promise.all([
    countsOf(dataset, roles.cellType),
    countsOf(dataset, roles.cluster),
    metadataCounts(dataset, roles.metadata),
  ]);
  const ordered = <T>(entries: ReadonlyMap<string, T>, name: string | undefined) =>
    inDisplayOrder(
      entries,
      displays.find(({ column }) => column === name),
    );
  const cellTypes = listedCategories(ordered(cellTypeCounts, roles.cellType));
  const clusters = listedCategories(ordered(clusterCounts, roles.cluster));
  const fieldColumns = new Map(Object.entries(roles.metadata));
  const { fields, counts, leftOut } = listedFields(
    new Map([...metadata].map(([shown, values]) => [shown, ordered(values, fieldColumns.get(shown))])),
  );
  const genes = listedGenes(dataset.genes.symbols);
  const samples = sampleColumn(manifest);
  const cautions = leftOutCautions({
    cellTypes: cellTypes.leftOut,
    clusters: clusters.leftOut,
    fields: leftOut.length,
    genes: dataset.genes.symbols.length - genes.length,
  });
  return {
    dataset_filename: manifest.id,
    cell_types: [...cellTypes.counts.keys()],
    gene_library: genes,
    leiden_clusters: [...clusters.counts.keys()],
    patient_metadata: fields,
    patient_metadata_counts: counts,
    cell_type_counts: Object.fromEntries(cellTypes.counts),
    unlabelled_cells: cellTypeCounts.size === 0 ? 0 : unlabelledCells(cellTypeCounts, manifest.cellCount),
    leiden_cluster_counts: Object.fromEntries(clusters.counts),
    columns: {
      ...(roles.cellType !== undefined && { cell_types: roles.cellType }),
      ...(roles.cluster !== undefined && { leiden_clusters: roles.cluster }),
      patient_metadata: Array.from(fieldColumns, ([field, column]) => ({ field, column })),
    },
    cell_count: manifest.cellCount,
    gene_count: manifest.geneCount,
    ...(samples && { samples }),
    raw_counts: manifest.expression.hasCounts,
    warnings: [...manifest.warnings, ...cautions],
    umap_url: umapUrl(manifest),
    ...(processing && { processing: { ...processing, computed: [...processing.computed] } }),
    version: manifest.version,
  };
}

export interface ExploreServices extends SelectionServices {
  readonly access: AccessPolicy;
  readonly catalogue: Catalogue;
  readonly readable: ReadableDatasets;
  readonly datasets: OpenDatasets;
  readonly figures: FigureService;
  readonly scores: NamedScores;
  readonly limits: { readonly genesPerCall: number };
}

/** Opens a dataset for the caller's tab: later plot calls work on it. */
const getDatasetAnalysis: Route<ExploreServices> = async (app, { services }) => {
  app.get(
    '/api/dataset_analysis/:datasetFilename',
    {
      schema: {
        summary: 'Open a dataset',
        tags: ['datasets'],
        params: z.object({ datasetFilename: datasetId }),
        response: { 200: datasetAnalysis },
      },
    },
    async (request) => {
      const screen = tabSessionOf(request);
      const manifest = await services.readable.manifest(screen.userId, request.params.datasetFilename);
      const displays = await services.displays.current(screen.userId, manifest);
      const analysis = await analyseDataset(manifest, services.datasets, displays);
      await services.active.open(screen, manifest);
      return analysis;
    },
  );
};

const aYear = 60 * 60 * 24 * 365;

/** The default UMAP of a dataset, coloured by cell type: the picture at its `umap_url`. */
const getDatasetUmap: Route<ExploreServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/umap.png',
    {
      config: {
        access: 'public',
        refusals: {
          401: 'The dataset was made from an upload, and the key or the token is missing or wrong.',
          403: 'The dataset was made from an upload, and the free trial of its owner has ended without a plan.',
          409: 'The dataset is made of an upload and is not ready, or it has been replaced just now.',
          503: 'The server cannot reach its datasets; `Retry-After` says when to try again.',
        },
      },
      schema: {
        summary: 'Get the default UMAP of a dataset as a PNG',
        description:
          'Anybody may see those of the catalogue. That of a dataset made from an upload needs the key and the token of its owner, as opening it does.',
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
  { access, readable }: Pick<ExploreServices, 'access' | 'readable'>,
  request: FastifyRequest,
  id: string,
): Promise<DatasetManifest> {
  const { userId } = await access.admit('explorer', credentialsOf(request));
  return readable.manifest(userId, id);
}

/** Chosen cell types, and clusters, in colour over the other active cells. */
const postPlotIsolatedCellTypes: Route<ExploreServices> = async (app, { services }) => {
  app.post(
    '/api/plot-isolated-cell-types',
    {
      compress: false,
      schema: {
        summary: 'Draw chosen cell types and clusters over the other cells',
        tags: ['plots'],
        body: plotIsolatedCellTypesRequest,
        response: { 200: plotIsolatedCellTypesAnswer },
      },
    },
    async (request) => {
      const { cell_types: cellTypes, leiden_clusters: clusters } = request.body;
      return onActiveCells(services, request, (selection, waiting) =>
        plotIsolatedCellTypes(services, selection, { cellTypes, clusters }, waiting),
      );
    },
  );
};

/** A signature scored on the active cells, on the UMAP and, when asked, by cell type. */
const postPlotSignatureEnrichment: Route<ExploreServices> = async (app, { services }) => {
  app.post(
    '/api/plot-signature-enrichment',
    {
      compress: false,
      schema: {
        summary: 'Score a signature and draw it',
        tags: ['plots'],
        body: plotSignatureRequest,
        response: { 200: plotSignatureAnswer },
      },
    },
    async (request) => {
      const { genes, score_name: name, violin_plot: violins } = request.body;
      return onActiveCells(services, request, (selection, waiting) =>
        plotSignature(services, selection, { genes, name, violins }, waiting),
      );
    },
  );
};

/** One of the fifty hallmark states scored on the active cells. */
const postPlotUmapWithCellState: Route<ExploreServices> = async (app, { services }) => {
  app.post(
    '/api/plot-umap-with-cell-state',
    {
      compress: false,
      schema: {
        summary: 'Score one of the fifty hallmark states and draw it',
        tags: ['plots'],
        body: plotCellStateRequest,
        response: { 200: plotCellStateAnswer },
      },
    },
    async (request) => {
      const { cell_state: cellState, minimum_genes: minimumGenes, violin_plot: violins } = request.body;
      return onActiveCells(services, request, (selection, waiting) =>
        plotCellState(services, selection, { cellState, minimumGenes, violins }, waiting),
      );
    },
  );
};

/** Gene UMAPs, and violins when asked, on the cells that the caller's tab has active. */
export const postPlotUmapWithGenes: Route<ExploreServices> = async (app, { services }) => {
  const { genesPerCall } = services.limits;
  app.post(
    '/api/plot-umap-with-genes',
    {
      // A PNG is compressed already; compressing its base64 takes longer than sending it.
      compress: false,
      schema: {
        summary: 'Draw genes on the UMAP and, when asked, as violins',
        tags: ['plots'],
        body: plotUmapWithGenesRequest,
        response: { 200: plotUmapWithGenesAnswer },
      },
    },
    async (request, reply) => {
      const { genes, violin_plot: violins } = request.body;
      if (genes.length > genesPerCall) {
        throw new ApiFailure(
          400,
          'too_many_genes',
          `${genes.length} genes were asked for; at most ${genesPerCall} can be plotted at once.`,
          { details: { limit: genesPerCall } },
        );
      }
      const plots = await onActiveCells(services, request, (selection, waiting) =>
        plotGenes(services, selection, { genes, violins }, waiting),
      );
      const stream = streamAnswer(request, reply, jsonOf(plots));
      return reply.type('application/json').send(stream as never);
    },
  );
};

/**
 * A figure that was shown before, drawn again: as a file (PNG for the screen or for print, or SVG), for its place in a
 * page, or as the numbers behind it.
 */
const postRenderFigure: Route<ExploreServices> = async (app, { services }) => {
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
          ...(view && { view }),
          ...(range && { range }),
          ...(order && { order }),
          ...(shown && { shown }),
          ...(theme && { theme }),
        }),
      );
      return reply
        .type(mediaType)
        .header('x-content-type-options', 'nosniff')
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
};

export const exploreRoutes = [
  getDatasetAnalysis,
  getDatasetUmap,
  postPlotIsolatedCellTypes,
  postPlotSignatureEnrichment,
  postPlotUmapWithCellState,
  postPlotUmapWithGenes,
  postRenderFigure,
];
