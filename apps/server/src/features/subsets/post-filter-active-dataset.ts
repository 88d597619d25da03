import { filterAnswer, filterRequest } from '@cellfolio/contract';
import { effectOf, effectOfAll } from './filter-effect.ts';
import { subsetFilter } from '../selection/subset-filter.ts';
import { onActiveCells } from '../selection/active-cells.ts';
import { screenOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/route.ts';

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
          return { ...(await effectOfAll(manifest, services.datasets)), subset_group_name: name };
        }
        const built = await services.masks.build({ manifest, subset }, waiting);
        await services.active.choose(screenOf(request), manifest, subset);
        return { ...effectOf(built), subset_group_name: name };
      }),
  );
};
