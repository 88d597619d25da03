import { geneSummary } from '@cellfolio/contract';
import { z } from 'zod';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import type { GeneFinder } from './gene-finder.ts';

export interface GeneFinderServices {
  readonly geneFinder: GeneFinder;
}

/** A gene by cell type in every dataset that the caller may read. */
const getGeneSummary: Route<GeneFinderServices> = async (app, { services }) => {
  app.get(
    '/api/gene-summary',
    {
      schema: {
        summary: 'Summarise a gene by cell type in all datasets of the catalogue and of your own files',
        tags: ['datasets'],
        querystring: z.object({
          gene: z
            .string()
            .trim()
            .min(1)
            .max(500)
            .describe('A symbol or an Ensembl id. An exact match comes first; without one, case is ignored.'),
        }),
        response: { 200: geneSummary },
      },
    },
    async (request) => services.geneFinder.find(tabSessionOf(request).userId, request.query.gene),
  );
};

export const geneFinderRoutes = [getGeneSummary];
