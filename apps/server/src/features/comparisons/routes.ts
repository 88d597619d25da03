import { comparisonAnswer, comparisonDesign, comparisonRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import {
  analyseComparison,
  type ComparisonAnalysisDeps,
  comparisonStream,
} from '../gene-comparisons/index.ts';
import { designAnswer } from './design-answer.ts';

type ComparisonServices = SelectionServices & ComparisonAnalysisDeps;

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
    async (request, reply) => {
      const { cells, ...parameters } = request.body;
      const compared = await onActiveCells(
        services,
        request,
        (selection, call) => analyseComparison(services, selection, parameters, call),
        { cells, sides: [parameters.a.filter, parameters.b?.filter] },
      );
      const stream = comparisonStream(services, request, reply, compared);
      return reply.type('application/json').send(stream as never);
    },
  );
};

const postDegDesign: Route<ComparisonServices> = async (app, { services }) => {
  app.post(
    '/api/deg-design',
    {
      schema: {
        summary: 'How a comparison by pseudobulk would be designed, before it runs',
        tags: ['analyses'],
        body: comparisonRequest,
        response: { 200: comparisonDesign },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        async (selection, call) =>
          designAnswer(await services.comparisons.design(selection, parameters, call)),
        { cells },
      );
    },
  );
};

export const comparisonsRoutes = [postPerformDegAnalysis, postDegDesign];
