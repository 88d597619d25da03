import { plotSignatureAnswer, plotSignatureRequest } from '@cellfolio/contract';
import { onActiveCells } from '../selection/active-cells.ts';
import type { Route } from '../../runtime/http/route.ts';

/** A signature scored on the active cells, on the UMAP and, when asked, by cell type. */
export const postPlotSignatureEnrichment: Route = async (app, { services }) => {
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
        services.scorePlots.plotSignature(selection, { genes, name, violins }, waiting),
      );
    },
  );
};
