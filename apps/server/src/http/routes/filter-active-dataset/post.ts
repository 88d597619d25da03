import { filterAnswer, filterRequest } from '@cellfolio/contract';
import { countsOf } from '../../../services/obs-summary.ts';
import { subsetFilter } from '../../../services/subsets/subset-filter.ts';
import { onActiveCells } from '../../active-cells.ts';
import { screenOf } from '../../plugins/access.ts';
import type { Route } from '../route.ts';

/** Chooses the cells that later calls of this tab work on. A refused filter leaves the chosen ones active. */
export const postFilterActiveDataset: Route = async (app, { services }) => {
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
          await services.active.choose(screenOf(request), manifest, undefined);
          const counts = await countsOf(await services.datasets.get(manifest), manifest.roles.cellType);
          return {
            cell_count: manifest.cellCount,
            cell_type_counts: Object.fromEntries(counts),
            subset_group_name: name,
            not_found_genes: [],
          };
        }
        const built = await services.masks.build({ manifest, subset }, waiting);
        await services.active.choose(screenOf(request), manifest, subset);
        return {
          cell_count: built.mask.count,
          cell_type_counts: Object.fromEntries(built.cellTypeCounts),
          subset_group_name: name,
          thresholds: built.thresholds,
          not_found_genes: [...built.missingGenes],
        };
      }),
  );
};
