import { cellxgeneCheck, cellxgeneChoices } from '@cellfolio/contract';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { datasetOf, onActiveCells, type SelectionServices } from '../selection/index.ts';
import { checkDataset } from './check-dataset.ts';

export interface CellxgeneServices extends SelectionServices {
  datasets: OpenDatasets;
}

const postCellxgeneCheck: Route<CellxgeneServices> = async (app, { services }) => {
  app.post(
    '/api/cellxgene-check',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Check the dataset against the schema of CELLxGENE Discover',
        description:
          'Says for all cells of the current dataset what the schema asks for, what is there and what is missing, with your choices for it. Reads no expression.',
        tags: ['analyses'],
        body: cellxgeneChoices,
        response: { 200: cellxgeneCheck },
      },
    },
    async (request) =>
      onActiveCells(
        services,
        request,
        async (selection, { signal }) => {
          const dataset = await services.datasets.get(datasetOf(selection));
          return (await checkDataset(dataset, request.body, signal)).check;
        },
        { cells: {}, own: 'all' },
      ),
  );
};

export const cellxgeneRoutes = [postCellxgeneCheck];
