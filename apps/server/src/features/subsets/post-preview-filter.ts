import { filterPreview, filterRequest } from '@cellfolio/contract';
import { effectOf, effectOfAll, partsOf } from './filter-effect.ts';
import { subsetFilter } from '../selection/subset-filter.ts';
import { onActiveCells } from '../selection/active-cells.ts';
import type { Route } from '../../runtime/http/route.ts';

/** What a filter would keep of the open dataset; the active cells stay as they are. */
export const postPreviewFilter: Route = async (app, { services }) => {
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
