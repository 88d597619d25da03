import { ligandReceptorAnswer, ligandReceptorRequest, pairSets } from '@cellfolio/contract';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { datasetQuery, queriedDataset, type ReadableDatasets } from '../catalogue/index.ts';
import { describedLists } from '../reference-lists/index.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseLigandReceptor, type LigandReceptorDeps, setAnswer } from './ligand-receptor-analysis.ts';
import type { PairSets } from './dataset-pairs.ts';

export interface LigandReceptorServices extends SelectionServices, LigandReceptorDeps {
  pairSets: PairSets;
  datasets: OpenDatasets;
  readable: ReadableDatasets;
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
      config: { refusals: { 404: 'No such dataset.' } },
      schema: {
        summary: 'List the sets of ligand–receptor pairs',
        tags: ['analyses'],
        querystring: datasetQuery,
        response: { 200: pairSets },
      },
    },
    async (request) => {
      const dataset = await queriedDataset(services, request, request.query);
      const { lists } = await services.pairSets.all();
      const coverage =
        dataset && ((list: (typeof lists)[number]) => services.ligandReceptor.coverage(list, dataset));
      return { sets: await describedLists(lists, setAnswer, coverage) };
    },
  );
};

export const ligandReceptorRoutes = [postPerformLigandReceptorAnalysis, getLigandReceptorPairs];
