import { analyseMarkers, type MarkerAnalysisDeps } from './marker-analysis.ts';
import { markerAnalysisAnswer, markerAnalysisRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';

type MarkerServices = SelectionServices & MarkerAnalysisDeps;

const postPerformMarkerAnalysis: Route<MarkerServices> = async (app, { services }) => {
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
        (selection, call) => analyseMarkers(services, selection, parameters, call),
        { cells },
      );
    },
  );
};

export const markersRoutes = [postPerformMarkerAnalysis];
