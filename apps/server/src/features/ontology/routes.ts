import {
  calledTerms,
  calledTermsRequest,
  ontologies,
  ontologyTerms,
  ontologyTermsQuery,
} from '@cellfolio/contract';
import type { Route } from '../../runtime/http/routes.ts';
import { searchTerms, termCalled } from './search-terms.ts';
import { termTable } from './term-table.ts';

const getOntologyTerms: Route<object> = async (app) => {
  app.get(
    '/api/ontology-terms',
    {
      config: { scope: 'read' },
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

const postCalledTerms: Route<object> = async (app) => {
  app.post(
    '/api/ontology-terms/called',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Find the terms of an ontology that names are',
        description:
          'A name is a term by its label or an exact synonym of one term alone, never by a part of it.',
        tags: ['datasets'],
        body: calledTermsRequest,
        response: { 200: calledTerms },
      },
    },
    async ({ body: { ontology, names } }) => ({
      terms: [...new Set(names)].flatMap((name) => {
        const term = termCalled(termTable.ontology(ontology), name);
        return term ? [{ name, id: term.id, label: term.label }] : [];
      }),
    }),
  );
};

export const ontologyRoutes = [getOntologyTerms, postCalledTerms];
