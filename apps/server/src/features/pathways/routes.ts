import { analysePathways, type PathwayAnalysisDeps } from './pathway-analysis.ts';
import { constants } from 'node:zlib';
import { pathwayAnalysisAnswer, pathwayAnalysisRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';

type PathwayServices = SelectionServices & PathwayAnalysisDeps;

const postPerformPathwayAnalysis: Route<PathwayServices> = async (app, { services }) => {
  app.post(
    '/api/perform-pathway-analysis',
    {
      // A table of a megabyte: the usual levels take longer than the test itself, for a twentieth fewer bytes.
      compress: {
        zlibOptions: { level: 1 },
        brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
      },
      schema: {
        summary: 'Test in which gene sets a list of genes is over-represented',
        tags: ['analyses'],
        body: pathwayAnalysisRequest,
        response: { 200: pathwayAnalysisAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, call) => analysePathways(services, selection, parameters, call),
        { cells },
      );
    },
  );
};

export const pathwaysRoutes = [postPerformPathwayAnalysis];
