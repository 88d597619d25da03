import { coExpressionAnswer, coExpressionRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseCoExpression, type CoExpressionDeps } from './co-expression-analysis.ts';

type CoExpressionServices = SelectionServices & CoExpressionDeps;

const postPerformCoExpressionAnalysis: Route<CoExpressionServices> = async (app, { services }) => {
  app.post(
    '/api/perform-co-expression-analysis',
    {
      schema: {
        summary: 'Find modules of genes that vary together over neighbouring cells',
        tags: ['analyses'],
        body: coExpressionRequest,
        response: { 200: coExpressionAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, call) => analyseCoExpression(services, selection, parameters, call),
        { cells },
      );
    },
  );
};

export const coExpressionRoutes = [postPerformCoExpressionAnalysis];
