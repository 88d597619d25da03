import {
  categoryDisplayList,
  categoryDisplayRequest,
  categoryDisplayReset,
  columnCategories,
} from '@cellfolio/contract';
import { z } from 'zod';
import { documentRoutes } from '../../runtime/http/document-routes.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';
import type { CategoryDisplays } from './category-displays.ts';

export interface CategoryDisplayServices {
  categoryDisplays: CategoryDisplays;
  readable: ReadableDatasets;
}

const displayRoutes: Route<CategoryDisplayServices> = async (app, { services }) => {
  const { categoryDisplays: displays, readable } = services;
  const routes = documentRoutes(app, {
    tag: 'displays',
    all: '/api/datasets/:datasetFilename/category-displays',
    one: '/api/datasets/:datasetFilename/category-displays/:column',
    id: z.string().max(500),
    refusals: {
      404: 'No such dataset or column.',
      413: 'The names of the categories take too much room together.',
      409: 'Order, colors or names have changed meanwhile, or too many are kept.',
      422: 'The column has too many categories.',
    },
    dataset: ({ caller }, { filename }) => readable.manifest(caller, filename!),
  });
  routes.list({
    summary: 'List the columns whose categories have your own order, colors or names',
    answer: categoryDisplayList,
    run: async ({ owner, dataset }) => ({
      displays: [...(await displays.current(owner, await dataset()))],
    }),
  });
  routes.get({
    summary: 'Get the categories of a column in their order, colors and names',
    answer: columnCategories,
    run: async ({ owner, id: column, dataset }) => displays.of({ owner, column, manifest: await dataset() }),
  });
  routes.replace({
    summary: 'Remember an order, colors and names of the categories of a column',
    input: categoryDisplayRequest,
    answer: columnCategories,
    run: async ({ owner, id: column, dataset }, display) =>
      displays.change({ owner, column, manifest: await dataset() }, display),
  });
  routes.remove({
    summary: 'Go back to the dataset’s own order, colors and names of the categories of a column',
    input: categoryDisplayReset,
    answer: columnCategories,
    run: async ({ owner, id: column, dataset }, { revision }) =>
      displays.change({ owner, column, manifest: await dataset() }, { revision, categories: null }),
  });
};

export const categoryDisplaysRoutes = [displayRoutes];
