import { damagedDatasets } from '@cellfolio/contract';
import { damagedAnswer } from './catalogue.ts';
import type { Route } from '../../runtime/http/route.ts';

/** What the catalogue leaves out. */
export const getDamagedDatasets: Route = async (app, { services }) => {
  app.get(
    '/api/damaged-datasets',
    {
      config: { access: 'key' },
      schema: {
        summary: 'List the datasets that are there and cannot be read',
        tags: ['datasets'],
        response: { 200: damagedDatasets },
      },
    },
    async () => damagedAnswer(await services.catalogue.damaged()),
  );
};
