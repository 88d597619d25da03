import { plotCellStateAnswer, plotCellStateRequest } from '@cellfolio/contract';
import { onActiveCells } from '../selection/active-cells.ts';
import type { Route } from '../../runtime/http/route.ts';

/** One of the fifty hallmark states scored on the active cells. */
export const postPlotUmapWithCellState: Route = async (app, { services }) => {
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
        services.scorePlots.plotCellState(selection, { cellState, minimumGenes, violins }, waiting),
      );
    },
  );
};
