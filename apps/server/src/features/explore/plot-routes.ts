import {
  plotCellStateAnswer,
  plotCellStateRequest,
  plotIsolatedCellTypesAnswer,
  plotIsolatedCellTypesRequest,
  plotSignatureAnswer,
  plotSignatureRequest,
  plotUmapWithGenesAnswer,
  plotUmapWithGenesRequest,
} from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { streamAnswer } from '../../runtime/http/stream-answer.ts';
import { onActiveCells } from '../selection/index.ts';
import type { ExploreServices } from './explore-services.ts';
import { jsonOf, plotCellState, plotGenes, plotIsolatedCellTypes, plotSignature } from './plots.ts';

/** Chosen cell types, and clusters, in colour over the other active cells. */
export const postPlotIsolatedCellTypes: Route<ExploreServices> = async (app, { services }) => {
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
export const postPlotSignatureEnrichment: Route<ExploreServices> = async (app, { services }) => {
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
export const postPlotUmapWithCellState: Route<ExploreServices> = async (app, { services }) => {
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
