import { cellStateNames, geneSetLibraries } from '@cellfolio/contract';
import { originOf } from './gene-set-store.ts';
import { memberOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/route.ts';

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
    async (request) => ({
      libraries: (await services.libraries.list())
        .filter(({ damaged }) => damaged === undefined)
        .map((library) => Object.assign(originOf(library), { set_count: library.setCount })),
      cell_states: [...cellStateNames],
      may_pull: await services.access.operates(memberOf(request)),
    }),
  );
};
