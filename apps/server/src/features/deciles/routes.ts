import { decileAnswer, decileRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { comparisonStream } from '../gene-comparisons/index.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseDeciles, type DecileAnalysisDeps } from './decile-analysis.ts';

type DecileServices = SelectionServices & DecileAnalysisDeps;

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
    async (request, reply) => {
      const { cells, ...parameters } = request.body;
      const compared = await onActiveCells(
        services,
        request,
        (selection, call) => analyseDeciles(services, selection, parameters, call),
        { cells },
      );
      const stream = comparisonStream(services, request, reply, compared);
      return reply.type('application/json').send(stream as never);
    },
  );
};

export const decileRoutes = [postPerformDecileAnalysis];
