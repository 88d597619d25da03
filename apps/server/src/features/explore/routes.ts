import { rankedEnrichment } from '@cellfolio/analyses';
import {
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
  unknownFieldsOf,
} from '@cellfolio/contract';
import { listedNames } from '@cellfolio/model';
import type { z } from 'zod';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { streamAnswer } from '../../runtime/http/stream-answer.ts';
import { onActiveCells, type Selection, subsetFilter, watched } from '../selection/index.ts';
import { type ExploreServices, getDatasetAnalysis, getDatasetUmap } from './dataset-routes.ts';
import { jsonOf, plotCellState, plotGenes, plotIsolatedCellTypes, plotSignature } from './plots.ts';
import { signInFirst, callerOf, type Visitor } from '../../runtime/http/access.ts';
import { datasetReplaced } from '../catalogue/index.ts';
import { type Owner, ownerOf } from '../../runtime/owners.ts';

const postPlotIsolatedCellTypes: Route<ExploreServices> = async (app, { services }) => {
  app.post(
    '/api/plot-isolated-cell-types',
    {
      config: { scope: 'analyse' },
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
      return onActiveCells(services, request, (selection, call) =>
        plotIsolatedCellTypes(services, selection, { cellTypes, clusters }, call),
      );
    },
  );
};

const postPlotSignatureEnrichment: Route<ExploreServices> = async (app, { services }) => {
  app.post(
    '/api/plot-signature-enrichment',
    {
      config: { scope: 'analyse' },
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
      return onActiveCells(services, request, (selection, call) =>
        plotSignature(services, selection, { genes, name, violins }, call),
      );
    },
  );
};

const postPlotUmapWithCellState: Route<ExploreServices> = async (app, { services }) => {
  app.post(
    '/api/plot-umap-with-cell-state',
    {
      config: { scope: 'analyse' },
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
      return onActiveCells(services, request, (selection, call) =>
        plotCellState(services, selection, { cellState, minimumGenes, violins }, call),
      );
    },
  );
};

export const postPlotUmapWithGenes: Route<ExploreServices> = async (app, { services }) => {
  const { genesPerCall } = services.limits;
  app.post(
    '/api/plot-umap-with-genes',
    {
      config: { scope: 'analyse' },
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
          `${genes.length} genes were requested; at most ${genesPerCall} can be plotted at once.`,
          { details: { limit: genesPerCall } },
        );
      }
      const plots = await onActiveCells(services, request, (selection, call) =>
        plotGenes(services, selection, { genes, violins }, call),
      );
      const stream = streamAnswer(request, reply, jsonOf(plots));
      return reply.type('application/json').send(stream as never);
    },
  );
};

/**
 * Redraws a figure that was shown before: as a file (PNG for screen or print, PDF or SVG), for its place in a page, or as
 * the numbers behind it.
 */
const postRenderFigure: Route<ExploreServices> = async (app, { services }) => {
  app.post(
    '/api/render-figure',
    {
      // The figure of a ranking has the ranking in its source.
      bodyLimit: rankedEnrichment.maxBytes!,
      config: { scope: 'analyse', visitors: 'public' },
      preValidation: async (request) => {
        const body: unknown = request.body;
        if (typeof body !== 'object' || body === null || !('source' in body)) return;
        const source = renamedSource(body.source);
        const details = unknownFieldsOf({ ...body, source });
        if (details.length > 0) {
          const named = listedNames(details.map(({ field }) => field));
          const message = `The figure has unknown fields: ${named}. Check the spelling, or leave them out.`;
          throw new ApiFailure(400, 'invalid_request', message, { details });
        }
        request.body = { ...body, source } as typeof request.body;
      },
      schema: {
        summary: 'Draw a figure again: as a file, for a place in a page, or as its numbers',
        tags: ['plots'],
        body: renderFigureRequest,
        produces: ['image/png', 'image/svg+xml', 'application/pdf', 'application/json'],
      },
    },
    async (request, reply) => {
      const { source, format, view, file, range, order, shown, theme } = request.body;
      if (request.visitor && !isVisitorFigure(request.visitor, request.body)) throw signInFirst();
      const caller = callerOf(request);
      const manifest = await services.readable.manifest(caller, source.dataset_filename);
      if (source.version !== undefined && source.version !== manifest.version) {
        throw datasetReplaced(manifest, 'this figure was drawn. Draw it again.');
      }
      const subset = source.subset && subsetFilter(source.subset);
      const { own, displays } =
        caller === undefined
          ? { own: [], displays: [] }
          : await ownStates(services, { owner: ownerOf(caller), manifest, subset }, request.body);
      const { bytes, mediaType } = await watched(services, request, (call) =>
        services.figures.draw({ manifest, subset, own, displays }, source.content, call, {
          format,
          view,
          file,
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

/** The user's columns and displays of a figure, in their states of when it was drawn. */
async function ownStates(
  { ownColumns: columns, displays }: Pick<ExploreServices, 'ownColumns' | 'displays'>,
  { owner, manifest, subset }: Pick<Selection, 'manifest' | 'subset'> & { owner: Owner },
  { source, shown }: FigureRequest,
): Promise<Required<Pick<Selection, 'own' | 'displays'>>> {
  const figureColumns = source.annotations
    ? await columns.storedColumns(owner, manifest, source.annotations)
    : await columns.named(owner, manifest, [source.content, subset]);
  // An annotation that splits the map alone is as it is now.
  const splits = shown?.split === undefined ? [] : await columns.named(owner, manifest, [shown.split]);
  return {
    own: [...figureColumns, ...splits.filter(({ name }) => !figureColumns.some((one) => one.name === name))],
    displays: await displays.storedDisplays(owner, manifest, source.displays),
  };
}

type FigureRequest = z.output<typeof renderFigureRequest>;

/**
 * Figures for visitors: the colours of a map of all cells as JSON, and of the demo dataset a gene by cell type for the
 * screen, as a PNG or laid out for its place in the page.
 */
const visitorFormats: ReadonlyMap<string, FigureRequest['format']> = new Map([
  ['category-umap', 'json'],
  ['obs-umap', 'json'],
  ['gene-umap', 'json'],
  ['gene-violin', 'png'],
]);

function isVisitorFigure(
  { dataset, isDemo }: Visitor,
  { source, format, view, file }: FigureRequest,
): boolean {
  const { dataset_filename: id, subset, annotations, displays, content } = source;
  const isOfAllCells = [subset, annotations, displays, file].every((part) => part === undefined);
  // In a place of any size an SVG costs the same, a PNG does not.
  const ofView = content.kind === 'gene-violin' ? 'svg' : undefined;
  const drawn = view === undefined ? visitorFormats.get(content.kind) : ofView;
  return id === dataset && isOfAllCells && drawn === format && (isDemo || format === 'json');
}

export const exploreRoutes = [
  getDatasetAnalysis,
  getDatasetUmap,
  postPlotIsolatedCellTypes,
  postPlotSignatureEnrichment,
  postPlotUmapWithCellState,
  postPlotUmapWithGenes,
  postRenderFigure,
];
