import { markerAnalysisAnswer, markerAnalysisRequest } from '@cellfolio/contract';
import { onActiveCells } from '../selection/active-cells.ts';
import type { Route } from '../../runtime/http/route.ts';

/** Marker genes of the groups that a column cuts the active cells into. */
export const postPerformMarkerAnalysis: Route = async (app, { services }) => {
  app.post(
    '/api/perform-marker-analysis',
    {
      schema: {
        summary: 'Find the marker genes of the groups of a column',
        tags: ['analyses'],
        body: markerAnalysisRequest,
        response: { 200: markerAnalysisAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, waiting) => services.markerAnalysis.perform(selection, parameters, waiting),
        cells,
      );
    },
  );
};
