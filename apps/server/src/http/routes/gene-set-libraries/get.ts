import { cellStateNames, geneSetLibraries } from '@cellfolio/contract';
import type { Route } from '../route.ts';

/** The libraries that enrichment can be run against, and the cell states that can be scored. */
export const getGeneSetLibraries: Route = async (app, { services }) => {
  app.get(
    '/api/gene-set-libraries',
    {
      schema: {
        summary: 'List the gene set libraries and the cell states',
        tags: ['analyses'],
        response: { 200: geneSetLibraries },
      },
    },
    async () => ({
      libraries: (await services.libraries.list())
        .filter(({ damaged }) => damaged === undefined)
        .map(({ name, source, label, setCount }) => ({ name, source, label, set_count: setCount })),
      cell_states: [...cellStateNames],
    }),
  );
};
