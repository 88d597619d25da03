import { plotUmapWithGenesAnswer, plotUmapWithGenesRequest } from '@cellfolio/contract';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { onActiveCells } from '../selection/active-cells.ts';
import type { Route } from '../../runtime/http/route.ts';

/** Gene UMAPs, and violins when asked, on the cells that the caller's tab has active. */
export const postPlotUmapWithGenes: Route = async (app, { services }) => {
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
    async (request) => {
      const { genes, violin_plot: violins } = request.body;
      if (genes.length > genesPerCall) {
        throw new ApiFailure(
          400,
          'too_many_genes',
          `${genes.length} genes were asked for; at most ${genesPerCall} can be plotted at once.`,
          { details: { limit: genesPerCall } },
        );
      }
      return onActiveCells(services, request, (selection, waiting) =>
        services.genePlots.plot(selection, { genes, violins }, waiting),
      );
    },
  );
};
