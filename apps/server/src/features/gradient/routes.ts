import { gradientAnswer, gradientRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseGradient, type GradientAnalysisDeps } from './gradient-analysis.ts';

type GradientServices = SelectionServices & GradientAnalysisDeps;

const postPerformGradientAnalysis: Route<GradientServices> = async (app, { services }) => {
  app.post(
    '/api/perform-gradient-analysis',
    {
      schema: {
        summary: 'Rank genes along a continuous axis of the active cells',
        tags: ['analyses'],
        body: gradientRequest,
        response: { 200: gradientAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, call) => analyseGradient(services, selection, parameters, call),
        { cells },
      );
    },
  );
};

export const gradientRoutes = [postPerformGradientAnalysis];
