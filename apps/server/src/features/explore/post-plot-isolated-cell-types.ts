import { plotIsolatedCellTypesAnswer, plotIsolatedCellTypesRequest } from '@cellfolio/contract';
import { onActiveCells } from '../selection/active-cells.ts';
import type { Route } from '../../runtime/http/route.ts';

/** Chosen cell types, and clusters, in colour over the other active cells. */
export const postPlotIsolatedCellTypes: Route = async (app, { services }) => {
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
        services.isolatedCellTypes.plot(selection, { cellTypes, clusters }, waiting),
      );
    },
  );
};
