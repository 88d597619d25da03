import { z } from 'zod';

/** Ontologies whose terms the server has, with what the CELLxGENE schema uses them for. */
export const ontologies = {
  CL: { title: 'Cell Ontology', use: 'cell types', license: 'CC BY 4.0' },
  UBERON: { title: 'Uberon', use: 'tissues', license: 'CC BY 3.0' },
  MONDO: { title: 'Mondo Disease Ontology', use: 'diseases', license: 'CC BY 4.0' },
  EFO: { title: 'Experimental Factor Ontology', use: 'assays', license: 'Apache License 2.0' },
  HsapDv: { title: 'Human Developmental Stages', use: 'stages of humans', license: 'CC BY 3.0' },
  MmusDv: { title: 'Mouse Developmental Stages', use: 'stages of mice', license: 'CC BY 3.0' },
  HANCESTRO: { title: 'Human Ancestry Ontology', use: 'ethnicities', license: 'CC BY 4.0' },
  PATO: { title: 'Phenotype and Trait Ontology', use: 'sexes', license: 'CC BY 3.0' },
  NCBITaxon: { title: 'NCBI Taxonomy', use: 'organisms', license: 'CC0 1.0' },
} as const;

export type OntologyName = keyof typeof ontologies;

export const ontologyName = z.enum(Object.keys(ontologies) as [OntologyName, ...OntologyName[]]).describe(
  Object.entries(ontologies)
    .map(([name, { use }]) => `${name}: ${use}`)
    .join('; '),
);

export const maxFoundTerms = 50;

export const ontologyTermsQuery = z.object({
  ontology: ontologyName,
  query: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe('Words of a label or synonym, each from its beginning, or an id such as `CL:0000084`.'),
  limit: z.coerce.number().int().min(1).max(maxFoundTerms).default(20),
});

export const maxCalledNames = 200;

/** `POST /api/ontology-terms/called`: terms of names, such as suggested cell types. */
export const calledTermsRequest = z
  .object({ ontology: ontologyName, names: z.array(z.string().max(500)).min(1).max(maxCalledNames) })
  .meta({ id: 'CalledTermsRequest' });

export const calledTerms = z
  .object({
    terms: z
      .array(z.object({ name: z.string(), id: z.string(), label: z.string() }))
      .describe('Of the names that are a label or an exact synonym, in the plural too; others are left out.'),
  })
  .meta({ id: 'CalledTerms' });
export type CalledTerms = z.infer<typeof calledTerms>;

/** `GET /api/ontology-terms?ontology=CL&query=t%20cell` */
export const ontologyTerms = z
  .object({
    release: z.string().describe('Release of the ontology, such as `v2026-03-26`.'),
    license: z.string(),
    terms: z
      .array(
        z.object({
          id: z.string(),
          label: z.string(),
          synonym: z.string().optional().describe('The synonym that matches, where the label does not.'),
          parents: z.array(z.object({ id: z.string(), label: z.string() })),
        }),
      )
      .describe('Equal labels and synonyms first, then names that begin with the query, then the others.'),
  })
  .meta({ id: 'OntologyTerms' });
export type OntologyTerms = z.infer<typeof ontologyTerms>;
