import { compositionAnswer, compositionRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseComposition, type CompositionAnalysisDeps } from './composition-analysis.ts';

type CompositionServices = SelectionServices & CompositionAnalysisDeps;

const postPerformCompositionAnalysis: Route<CompositionServices> = async (app, { services }) => {
  app.post(
    '/api/perform-composition-analysis',
    {
      schema: {
        summary: 'Compare what samples are made of between two sets of cells',
        tags: ['analyses'],
        body: compositionRequest,
        response: { 200: compositionAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, call) => analyseComposition(services, selection, parameters, call),
        { cells, sides: [parameters.a.filter, parameters.b?.filter] },
      );
    },
  );
};

export const compositionRoutes = [postPerformCompositionAnalysis];
