import {
  categoryDisplayList,
  categoryDisplayRequest,
  categoryDisplayReset,
  columnCategories,
  datasetId,
} from '@cellfolio/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { ReadableDatasets } from '../catalogue/index.ts';
import type { CategoryDisplays } from './category-displays.ts';

export interface CategoryDisplayServices {
  categoryDisplays: CategoryDisplays;
  readable: ReadableDatasets;
}

const tags = ['displays'];
const config = {
  refusals: {
    404: 'No such dataset or column.',
    413: 'The names of the categories take too much room together.',
    409: 'Order, colours or names have changed meanwhile, or too many are kept.',
    422: 'The column has too many categories.',
  },
};
const ofDataset = z.object({ datasetFilename: datasetId });
const ofColumn = ofDataset.extend({ column: z.string().max(500) });

async function shown(
  { readable }: CategoryDisplayServices,
  request: FastifyRequest,
  { datasetFilename, column }: z.output<typeof ofColumn>,
) {
  const { userId } = tabSessionOf(request);
  return { userId, column, manifest: await readable.manifest(userId, datasetFilename) };
}

const getDisplays: Route<CategoryDisplayServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/category-displays',
    {
      config,
      schema: {
        summary: 'List the columns whose categories have an order, colours or names of one’s own',
        tags,
        params: ofDataset,
        response: { 200: categoryDisplayList },
      },
    },
    async (request) => {
      const { userId } = tabSessionOf(request);
      const manifest = await services.readable.manifest(userId, request.params.datasetFilename);
      const displays = await services.categoryDisplays.current(userId, manifest);
      return { displays: [...displays] };
    },
  );
};

const getDisplay: Route<CategoryDisplayServices> = async (app, { services }) => {
  app.get(
    '/api/datasets/:datasetFilename/category-displays/:column',
    {
      config,
      schema: {
        summary: 'Get the categories of a column in their order, colours and names',
        tags,
        params: ofColumn,
        response: { 200: columnCategories },
      },
    },
    async (request) => services.categoryDisplays.of(await shown(services, request, request.params)),
  );
};

const putDisplay: Route<CategoryDisplayServices> = async (app, { services }) => {
  app.put(
    '/api/datasets/:datasetFilename/category-displays/:column',
    {
      config,
      schema: {
        summary: 'Remember an order, colours and names of the categories of a column',
        tags,
        params: ofColumn,
        body: categoryDisplayRequest,
        response: { 200: columnCategories },
      },
    },
    async (request) =>
      services.categoryDisplays.change(await shown(services, request, request.params), request.body),
  );
};

const deleteDisplay: Route<CategoryDisplayServices> = async (app, { services }) => {
  app.delete(
    '/api/datasets/:datasetFilename/category-displays/:column',
    {
      config,
      schema: {
        summary: 'Go back to the dataset’s own order, colours and names of the categories of a column',
        tags,
        params: ofColumn,
        querystring: categoryDisplayReset,
        response: { 200: columnCategories },
      },
    },
    async (request) =>
      services.categoryDisplays.change(await shown(services, request, request.params), {
        revision: request.query.revision,
        categories: null,
      }),
  );
};

export const categoryDisplaysRoutes = [getDisplays, getDisplay, putDisplay, deleteDisplay];
