import { markerSets, pairSets } from '@cellfolio/contract';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { datasetQuery, queriedDataset, type ReadableDatasets } from '../catalogue/index.ts';
import { markerCoverage, markerSetAnswer } from './marker-lists.ts';
import { pairCoverage, pairSetAnswer } from './pair-lists.ts';
import type { ReferenceLists } from './reference-lists.ts';

export interface ListServices {
  readonly lists: ReferenceLists;
  readonly datasets: OpenDatasets;
  readonly readable: ReadableDatasets;
}

const getLigandReceptorPairs: Route<ListServices> = async (app, { services }) => {
  app.get(
    '/api/ligand-receptor-pairs',
    {
      config: { scope: 'read', refusals: { 404: 'No such dataset.' } },
      schema: {
        summary: 'List the sets of ligand–receptor pairs',
        tags: ['analyses'],
        querystring: datasetQuery,
        response: { 200: pairSets },
      },
    },
    async (request) => {
      const dataset = await queriedDataset(services, request, request.query);
      const sets = await services.lists.described('pairs', dataset, pairSetAnswer, pairCoverage);
      return { sets };
    },
  );
};

const getCellTypeMarkers: Route<ListServices> = async (app, { services }) => {
  app.get(
    '/api/cell-type-markers',
    {
      config: { scope: 'read', refusals: { 404: 'No such dataset.' } },
      schema: {
        summary: 'List the sets of markers of cell types',
        tags: ['analyses'],
        querystring: datasetQuery,
        response: { 200: markerSets },
      },
    },
    async (request) => {
      const dataset = await queriedDataset(services, request, request.query);
      const sets = await services.lists.described('markers', dataset, markerSetAnswer, markerCoverage);
      return { sets };
    },
  );
};

export const listRoutes = [getLigandReceptorPairs, getCellTypeMarkers];
