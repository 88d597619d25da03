import { comparisonAnswer, comparisonRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseComparison, type ComparisonAnalysisDeps } from './comparison-analysis.ts';

export type ComparisonServices = SelectionServices & ComparisonAnalysisDeps;

/** Two sets of the active cells compared, gene by gene. */
const postPerformDegAnalysis: Route<ComparisonServices> = async (app, { services }) => {
  app.post(
    '/api/perform-deg-analysis',
    {
      schema: {
        summary: 'Compare the expression of two sets of cells, gene by gene',
        tags: ['analyses'],
        body: comparisonRequest,
        response: { 200: comparisonAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, waiting) => analyseComparison(services, selection, parameters, waiting),
        { cells },
      );
    },
  );
};

export const comparisonsRoutes = [postPerformDegAnalysis];
