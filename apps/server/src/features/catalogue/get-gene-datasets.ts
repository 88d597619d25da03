import { geneDatasets } from '@cellfolio/contract';
import { z } from 'zod';
import { GeneDirectory } from './gene-directory.ts';
import type { Route } from '../../runtime/http/route.ts';

/** Of one question; the words of a search. */
const mostGenes = 10;
const gene = z.string().min(1).max(500);

/** Which public datasets have a gene. */
export const getGeneDatasets: Route = async (app, { services }) => {
  const directory = new GeneDirectory(services.catalogue, services.datasets);
  app.get(
    '/api/gene-datasets',
    {
      config: { access: 'key' },
      schema: {
        summary:
          'Find the datasets of the catalogue that have genes, and how many of their cells express them',
        tags: ['datasets'],
        querystring: z.object({
          genes: z
            .string()
            .transform((text) => text.split(',').map((one) => one.trim()))
            .pipe(z.array(gene).min(1).max(mostGenes))
            .describe(`Symbols in whatever case, parted by commas; at most ${mostGenes}.`),
        }),
        response: { 200: geneDatasets },
      },
    },
    async ({ query }) => ({ genes: await directory.find([...new Set(query.genes)]) }),
  );
};
