import { decileAnswer, decileRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseDeciles, type DecileAnalysisDeps } from './decile-analysis.ts';

type DecileServices = SelectionServices & DecileAnalysisDeps;

/** The cells with the highest values of something compared with those with the lowest. */
const postPerformDecileAnalysis: Route<DecileServices> = async (app, { services }) => {
  app.post(
    '/api/perform-decile-analysis',
    {
      schema: {
        summary: 'Compare the cells with the highest values of something with those with the lowest',
        tags: ['analyses'],
        body: decileRequest,
        response: { 200: decileAnswer },
      },
    },
    async (request) => {
      const { cells, ...asked } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, waiting) => analyseDeciles(services, selection, asked, waiting),
        { cells },
      );
    },
  );
};

export const decileRoutes = [postPerformDecileAnalysis];
