import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { CellMasks } from './cell-masks.ts';
import { filterAnswer, filterPreview, filterRequest } from '@cellfolio/contract';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import { effectOf, effectOfAll, partsOf } from './filter-effect.ts';
import { onActiveCells, type SelectionServices, subsetFilter } from '../selection/index.ts';

export interface SubsetServices extends SelectionServices {
  readonly datasets: OpenDatasets;
  readonly masks: CellMasks;
}

/** Chooses the cells that later calls of this tab work on. A refused filter leaves the chosen ones active. */
const postFilterActiveDataset: Route<SubsetServices> = async (app, { services }) => {
  app.post(
    '/api/filter-active-dataset',
    {
      schema: {
        summary: 'Choose the cells that later calls work on',
        tags: ['datasets'],
        body: filterRequest,
        response: { 200: filterAnswer },
      },
    },
    async (request) =>
      onActiveCells(services, request, async ({ manifest }, waiting) => {
        const { subset_group_name: name } = request.body;
        const subset = subsetFilter(request.body);
        if (!subset) {
          await services.active.choose(tabSessionOf(request), manifest, undefined);
          return { ...(await effectOfAll(manifest, services.datasets)), subset_group_name: name };
        }
        const built = await services.masks.build({ manifest, subset }, waiting);
        await services.active.choose(tabSessionOf(request), manifest, subset);
        return { ...effectOf(built), subset_group_name: name };
      }),
  );
};

/** What a filter would keep of the open dataset; the active cells stay as they are. */
const postPreviewFilter: Route<SubsetServices> = async (app, { services }) => {
  app.post(
    '/api/preview-filter',
    {
      schema: {
        summary: 'Count the cells of a filter without choosing them',
        tags: ['datasets'],
        body: filterRequest,
        response: { 200: filterPreview },
      },
    },
    async (request) =>
      onActiveCells(services, request, async ({ manifest }, waiting) => {
        const subset = subsetFilter(request.body);
        const common = { dataset_cells: manifest.cellCount };
        if (!subset) {
          const effect = await effectOfAll(manifest, services.datasets);
          return { ...effect, ...common, filter_counts: {}, histograms: {} };
        }
        const built = await services.masks.measure({ manifest, subset }, waiting);
        return { ...effectOf(built), ...common, ...partsOf(built) };
      }),
  );
};

export const subsetsRoutes = [postFilterActiveDataset, postPreviewFilter];
