import { geneName } from '@cellfolio/model/names';
import { speciesName } from '@cellfolio/analysis/parameters';
import { z } from 'zod';

export const maxListGenes = 500;
const maxListCharacters = 50_000;

const geneListName = z
  .string()
  .trim()
  .min(1, 'Give the list a name.')
  .max(100, 'A name of a list has at most 100 characters.')
  .refine((name) => !/\p{Cc}/u.test(name), 'A name of a list is one line of text.');

const genesOfList = z
  .array(geneName)
  .min(1, 'Give at least one gene.')
  .max(maxListGenes, `A list has at most ${maxListGenes} genes.`)
  .refine(
    (genes) => genes.reduce((sum, gene) => sum + gene.length, 0) <= maxListCharacters,
    'The names of the genes of a list have at most 50,000 characters together.',
  )
  .describe('In their order; of a name that comes again, the first counts.')
  .transform((genes) => [...new Set(genes)]);

const revision = z.int().min(1);

export const geneList = z
  .object({
    id: z.uuid(),
    name: z.string(),
    genes: z.array(z.string()),
    revision: revision.describe('Grows with each change.'),
  })
  .meta({ id: 'GeneList' });
export type GeneList = z.infer<typeof geneList>;

/** `GET /api/gene-lists`. */
export const geneListList = z
  .object({ lists: z.array(geneList).describe('By name.') })
  .meta({ id: 'GeneListList' });

/** `POST /api/gene-lists`. */
export const newGeneList = z
  .object({ name: geneListName, genes: genesOfList })
  .strict()
  .meta({ id: 'NewGeneList' });
export type NewGeneList = z.input<typeof newGeneList>;

/** `PATCH /api/gene-lists/{id}`. */
export const geneListChange = z
  .object({
    revision: revision.describe('That the change is made to; a later one refuses it with 409.'),
    name: geneListName.optional(),
    genes: genesOfList.optional(),
  })
  .strict()
  .refine(({ name, genes }) => name !== undefined || genes !== undefined, 'Give a name or genes.')
  .meta({ id: 'GeneListChange' });
export type GeneListChange = z.input<typeof geneListChange>;

export const maxNamesLookedUp = 5000;

/** `POST /api/datasets/{id}/gene-names`. */
export const geneNamesRequest = z
  .object({
    names: z
      .array(geneName)
      .max(maxNamesLookedUp, 'At most 5,000 names are looked up at once.')
      .describe('Symbols, former symbols, aliases or ids, whatever their case, with a version or without.'),
  })
  .strict()
  .meta({ id: 'GeneNamesRequest' });

/** Response of `POST /api/datasets/{id}/gene-names`. */
export const geneNamesAnswer = z
  .object({
    genes: z
      .array(
        z.object({
          name: z.string().describe('As it was asked for.'),
          symbol: z.string(),
          id: z.string().optional().describe('Its stable id, such as of Ensembl, without a version.'),
        }),
      )
      .describe('Those that the dataset has, in the order of the names.'),
    missing: z.array(z.string()),
    ambiguous: z
      .array(z.object({ name: z.string(), symbols: z.array(z.string()) }))
      .default([])
      .describe(
        'Those of the missing ones that are former symbols or aliases of several genes, with the symbols of those that the dataset has.',
      ),
    species: speciesName.nullable().describe('Of the dataset; null where its genes do not say.'),
  })
  .meta({ id: 'GeneNamesAnswer' });
export type GeneNamesAnswer = z.infer<typeof geneNamesAnswer>;
