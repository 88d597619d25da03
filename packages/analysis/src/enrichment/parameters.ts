import { geneName } from '@cellfolio/model/names';
import { z } from 'zod';
import { supportedSpecies } from '../species/detect-species.ts';

export const speciesName = z.enum(supportedSpecies);

/**
 * A gene counts as expressed from one percent of the cells (min.pct of Seurat 5's FindMarkers) and three cells
 * (min.cells of Seurat, min_cells of scanpy's tutorials).
 */
export const expressedDefaults = { kind: 'expressed', minimum_share: 0.01, minimum_cells: 3 } as const;

export const enrichmentBackground = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('expressed'),
      minimum_share: z
        .number()
        .min(0, 'A share is from 0 to 1.')
        .max(1, 'A share is from 0 to 1.')
        .default(expressedDefaults.minimum_share)
        .describe('Least share of the active cells with a value above 0, from 0 to 1.'),
      minimum_cells: z
        .number()
        .int()
        .min(1, 'At least one cell has to express a gene.')
        .max(1_000_000_000)
        .default(expressedDefaults.minimum_cells)
        .describe('Minimum number of active cells with a value above 0, whatever their share.'),
    }),
    z
      .object({ kind: z.literal('library') })
      .describe(
        'The genes of any set of the library, in the dataset or not, as gseapy without a background.',
      ),
    z
      .object({ kind: z.literal('dataset') })
      .describe(
        'All genes of the dataset. Genes that no cell expresses are never in a list of expressed ones, so that even random lists look significant.',
      ),
    z.object({
      kind: z.literal('own'),
      genes: z
        .array(geneName)
        .min(1, 'Name at least one gene of the background.')
        .max(60_000, 'A background of your own has at most 60,000 genes.')
        .describe('Such as the genes of a panel.'),
    }),
  ])
  .meta({
    id: 'EnrichmentBackground',
    description:
      'The genes that the list could have been drawn from: those expressed in the active cells (default), all genes of the library, all genes of the dataset, or a list of your own.',
  });
export type EnrichmentBackground = z.infer<typeof enrichmentBackground>;

export const pathwayParameters = z.object({
  pathway_genes: z
    .array(geneName)
    .min(1, 'Name at least one gene.')
    .max(20_000, 'At most 20,000 genes can be tested at once.')
    .describe('The list: symbols, or ids of the dataset; case does not matter.'),
  library_name: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .default('KEGG_2021_Human')
    .describe('A library that the server offers.'),
  background: enrichmentBackground.default(expressedDefaults),
  minimum_overlap: z
    .number()
    .int()
    .min(1, 'The minimum overlap is 1 gene.')
    .max(1000)
    .default(2)
    .describe(
      'Sets that share fewer genes with the list are tested and count in the adjustment, but are not reported.',
    ),
  species: speciesName
    .optional()
    .describe(
      'Species of the dataset; only needed where it is detected wrongly from the names of the genes.',
    ),
});
export type PathwayParameters = z.infer<typeof pathwayParameters>;
