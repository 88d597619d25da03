import { cellTypeAnswer, cellTypeRequest, markerSets } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { datasetQuery, queriedDataset, type ReadableDatasets } from '../catalogue/index.ts';
import { describedLists } from '../reference-lists/index.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseCellTypes, type CellTypeDeps, setAnswer } from './cell-type-analysis.ts';
import type { MarkerSets } from './marker-sets.ts';

export interface CellTypeServices extends SelectionServices, CellTypeDeps {
  markerSets: MarkerSets;
  readable: ReadableDatasets;
}

const postSuggestCellTypes: Route<CellTypeServices> = async (app, { services }) => {
  app.post(
    '/api/suggest-cell-types',
    {
      schema: {
        summary: 'Suggest cell types for the groups of a column by markers',
        tags: ['analyses'],
        body: cellTypeRequest,
        response: { 200: cellTypeAnswer },
      },
    },
    async (request) => {
      const { cells, ...parameters } = request.body;
      return onActiveCells(
        services,
        request,
        (selection, call) => analyseCellTypes(services, selection, parameters, call),
        { cells },
      );
    },
  );
};

const getCellTypeMarkers: Route<CellTypeServices> = async (app, { services }) => {
  app.get(
    '/api/cell-type-markers',
    {
      config: { refusals: { 404: 'No such dataset.' } },
      schema: {
        summary: 'List the sets of markers of cell types',
        tags: ['analyses'],
        querystring: datasetQuery,
        response: { 200: markerSets },
      },
    },
    async (request) => {
      const dataset = await queriedDataset(services, request, request.query);
      const { lists } = await services.markerSets.all();
      const coverage =
        dataset && ((list: (typeof lists)[number]) => services.cellTypes.coverage(list, dataset));
      return { sets: await describedLists(lists, setAnswer, coverage) };
    },
  );
};

export const cellTypeRoutes = [postSuggestCellTypes, getCellTypeMarkers];
