import { ontologies, ontologyTerms, ontologyTermsQuery } from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { searchTerms } from './search-terms.ts';
import { termTable } from './term-table.ts';

const getOntologyTerms: Route<object> = async (app) => {
  app.get(
    '/api/ontology-terms',
    {
      schema: {
        summary: 'Search the terms of an ontology',
        description:
          'Terms that the CELLxGENE schema names: of cell types, tissues, diseases, assays, stages, sexes and organisms.',
        tags: ['datasets'],
        querystring: ontologyTermsQuery,
        response: { 200: ontologyTerms },
      },
    },
    async ({ query: { ontology: name, query, limit } }) => {
      const ontology = termTable.ontology(name);
      return {
        release: ontology.release,
        license: ontologies[name].license,
        terms: searchTerms(ontology, query, limit).map(({ term: { id, label, parents }, synonym }) => ({
          id,
          label,
          synonym,
          parents: parents.flatMap((parent) => {
            const above = ontology.terms.get(parent);
            return above ? [{ id: parent, label: above.label }] : [];
          }),
        })),
      };
    },
  );
};

export const ontologyRoutes = [getOntologyTerms];
