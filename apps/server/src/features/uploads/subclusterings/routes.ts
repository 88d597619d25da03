import { datasetId, jobAnswer, subclusteringLinks, subclusteringRequest } from '@cellfolio/contract';
import { z } from 'zod';
import { tabSessionOf } from '../../../runtime/http/access.ts';
import type { Route } from '../../../runtime/http/routes.ts';
import type { ReadableDatasets } from '../../catalogue/index.ts';
import { type MaskSource, onActiveCells, type SelectionServices } from '../../selection/index.ts';
import type { Subclusterings } from './subclusterings.ts';

export interface SubclusteringServices extends SelectionServices {
  readonly masks: MaskSource & SelectionServices['masks'];
  readonly readable: ReadableDatasets;
  readonly subclusterings: Subclusterings;
}

const postSubclusterings: Route<SubclusteringServices> = async (app, { services }) => {
  app.post(
    '/api/subclusterings',
    {
      config: {
        refusals: {
          403: 'It needs the Professional plan (`professional_plan_required`), or the free trial has ended.',
          422: 'The dataset has no raw counts (`no_raw_counts`), the cells are too few (`too_few_cells`), the filter keeps none (`empty_subset`), they would take more memory than a job may (`too_large`), or the column tells no batches of them apart (`no_batches`).',
          429: 'Too many of your jobs are waiting (`too_many_jobs`), or too many calls.',
        },
      },
      schema: {
        summary: 'Make a dataset with a map of its own of the active cells',
        description:
          'Variable genes, components, neighbours, clusters and a UMAP are computed from the raw counts of these cells alone. The job makes a file of yours, which is then inspected and built as any other.',
        tags: ['analyses'],
        body: subclusteringRequest,
        response: { 202: jobAnswer },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const job = await onActiveCells(
        services,
        request,
        async (selection, call) => {
          const mask = await services.masks.maskOf(selection, call);
          return services.subclusterings.begin(tabSessionOf(request).userId, { selection, mask }, body);
        },
        { cells: body.cells, own: 'all' },
      );
      return reply.status(202).send({ job });
    },
  );
};

const getSubclusterings: Route<SubclusteringServices> = async (app, { services }) => {
  app.get(
    '/api/subclusterings/:datasetFilename',
    {
      logLevel: 'warn',
      schema: {
        summary: 'List the maps that you made of cells of a dataset, and what it is a part of',
        tags: ['analyses'],
        params: z.object({ datasetFilename: datasetId }),
        response: { 200: subclusteringLinks },
      },
    },
    async (request) => {
      const { userId } = tabSessionOf(request);
      const { id } = await services.readable.manifest(userId, request.params.datasetFilename);
      return services.subclusterings.links(userId, id);
    },
  );
};

export const subclusteringRoutes = [getSubclusterings, postSubclusterings];
