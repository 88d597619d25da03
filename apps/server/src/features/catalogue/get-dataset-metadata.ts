import { datasetMetadata } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/route.ts';

/** The public catalogue by disease and sub-disease. */
export const getDatasetMetadata: Route = async (app, { services }) => {
  app.get(
    '/api/dataset_metadata',
    {
      config: { access: 'key' },
      schema: {
        summary: 'List the datasets by disease and sub-disease',
        tags: ['datasets'],
        response: { 200: datasetMetadata },
      },
    },
    async () => services.catalogue.byDisease(),
  );
};
