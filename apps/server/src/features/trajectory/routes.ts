import { trajectoryAnswer, trajectoryRequest } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseTrajectory, type TrajectoryAnalysisDeps } from './trajectory-analysis.ts';

type TrajectoryServices = SelectionServices & TrajectoryAnalysisDeps;

const postPerformTrajectoryAnalysis: Route<TrajectoryServices> = async (app, { services }) => {
  app.post(
    '/api/perform-trajectory-analysis',
    {
      schema: {
        summary: 'Order the active cells by diffusion pseudotime from a root',
        tags: ['analyses'],
        body: trajectoryRequest,
        response: { 200: trajectoryAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, call) => analyseTrajectory(services, selection, parameters, call),
        { cells },
      );
    },
  );
};

export const trajectoryRoutes = [postPerformTrajectoryAnalysis];
