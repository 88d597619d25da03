import { cellTypeAnswer, cellTypeRequest, markerSets } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { onActiveCells, type SelectionServices } from '../selection/index.ts';
import { analyseCellTypes, type CellTypeDeps, setAnswer } from './cell-type-analysis.ts';
import type { MarkerSets } from './marker-sets.ts';

export interface CellTypeServices extends SelectionServices, CellTypeDeps {
  markerSets: MarkerSets;
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
      schema: {
        summary: 'List the sets of markers of cell types',
        tags: ['analyses'],
        response: { 200: markerSets },
      },
    },
    async () => ({ sets: (await services.markerSets.all()).lists.map(setAnswer) }),
  );
};

export const cellTypeRoutes = [postSuggestCellTypes, getCellTypeMarkers];
