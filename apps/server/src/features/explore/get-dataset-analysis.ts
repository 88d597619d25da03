import { datasetAnalysis, datasetId } from '@cellfolio/contract';
import { z } from 'zod';
import { analyseDataset } from './dataset-analysis.ts';
import { screenOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/route.ts';

/** Opens a dataset for the caller's tab: later plot calls work on it. */
export const getDatasetAnalysis: Route = async (app, { services }) => {
  app.get(
    '/api/dataset_analysis/:datasetFilename',
    {
      schema: {
        summary: 'Open a dataset',
        tags: ['datasets'],
        params: z.object({ datasetFilename: datasetId }),
        response: { 200: datasetAnalysis },
      },
    },
    async (request) => {
      const screen = screenOf(request);
      const manifest = await services.readable.manifest(screen.userId, request.params.datasetFilename);
      const analysis = await analyseDataset(manifest, services.datasets);
      await services.active.open(screen, manifest);
      return analysis;
    },
  );
};
