import { ligandReceptorAnswer, ligandReceptorRequest, pairSets } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseLigandReceptor, type LigandReceptorDeps, setAnswer } from './ligand-receptor-analysis.ts';
import type { PairSets } from './dataset-pairs.ts';

export interface LigandReceptorServices extends SelectionServices, LigandReceptorDeps {
  pairSets: PairSets;
}

const postPerformLigandReceptorAnalysis: Route<LigandReceptorServices> = async (app, { services }) => {
  app.post(
    '/api/perform-ligand-receptor-analysis',
    {
      schema: {
        summary: 'Test ligand–receptor pairs between the groups of a column',
        tags: ['analyses'],
        body: ligandReceptorRequest,
        response: { 200: ligandReceptorAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, call) => analyseLigandReceptor(services, selection, parameters, call),
        { cells },
      );
    },
  );
};

const getLigandReceptorPairs: Route<LigandReceptorServices> = async (app, { services }) => {
  app.get(
    '/api/ligand-receptor-pairs',
    {
      schema: {
        summary: 'List the sets of ligand–receptor pairs',
        tags: ['analyses'],
        response: { 200: pairSets },
      },
    },
    async () => ({ sets: (await services.pairSets.all()).lists.map(setAnswer) }),
  );
};

export const ligandReceptorRoutes = [postPerformLigandReceptorAnalysis, getLigandReceptorPairs];
