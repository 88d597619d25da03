import { pathwayParameters, speciesName } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { chosenCells } from './subsets.ts';
import { figureParts, filePixels } from './figures.ts';
import { resultNotes } from './answers.ts';
import { geneSetOrigin } from './gene-sets.ts';

/** `POST /api/perform-pathway-analysis`: over-representation as gseapy's `enrich` computes it. */
export const pathwayAnalysisRequest = pathwayParameters
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'PathwayAnalysisRequest' });
export type PathwayAnalysisRequest = z.input<typeof pathwayAnalysisRequest>;

const detectedSpecies = z.object({
  species: speciesName.nullable().describe('null where the names do not say.'),
  by: z
    .enum(['ids', 'symbols', 'nothing', 'request'])
    .describe('Ensembl ids, the way symbols are written, or the `species` of the request.'),
  matching: z.int().describe('Names in the form of the species.'),
  looked: z.int().describe('Names looked at.'),
});

export const pathwayAnalysisAnswer = z
  .object({
    analysis_csv: z
      .string()
      .describe('Gene_set, Term, Overlap, P-value, Adjusted P-value, Odds Ratio, Combined Score, Genes.'),
    analysis_preview_table_html: z.string().describe('The first and last five rows; every cell is escaped.'),
    barplot_image: z.string().describe('PNG in base64.'),
    barplot_width: z.number().int(),
    barplot_height: z.number().int(),
    barplot_print: filePixels,
    ...figureParts,
    library: geneSetOrigin.extend({ set_count: z.number().int() }),
    background: z
      .object({
        kind: z.enum(['expressed', 'library', 'dataset', 'own']),
        gene_count: z.number().int().describe('Genes of the background, as they were counted in the test.'),
        description: z.string(),
        minimum_share: z.number().optional().describe('As applied; of `expressed` alone.'),
        minimum_cells: z.number().int().optional().describe('As applied; of `expressed` alone.'),
        required_cells: z
          .number()
          .int()
          .optional()
          .describe('Active cells that had to express a gene, from both thresholds.'),
        active_cells: z.number().int(),
        dataset_gene_count: z.number().int(),
      })
      .describe('What the genes could have been drawn from.'),
    species: z
      .object({
        dataset: detectedSpecies,
        library: detectedSpecies,
        orthologues: z
          .object({
            from: speciesName,
            to: speciesName,
            table: z.string().describe('File of the table, or source and release of the built-in one.'),
            licence: z.string(),
            mapped: z.int().describe('Genes with an orthologue, of those the background was taken from.'),
            unmapped: z.int().describe('Genes without one, which are left out.'),
            merged: z
              .int()
              .describe('Genes that share their orthologue with another and count as one with it.'),
          })
          .nullable()
          .describe('How genes were mapped; null where they were compared by name.'),
      })
      .describe('Species of the dataset and of the library.'),
    sets: z
      .object({
        library: z.int().describe('Sets of the library.'),
        dropped: z.int().describe('Sets that share no gene with the background.'),
        shrunk: z.int().describe('Sets that lost some of their genes, because the background lacks them.'),
        tested: z
          .int()
          .describe('Sets that share a gene with the list: tested, and counted in the adjustment.'),
        below_minimum_overlap: z.int().describe('Tested sets that are not reported.'),
        reported: z.int(),
      })
      .describe('What became of the sets of the library.'),
    minimum_overlap: z.int().describe('As applied.'),
    found_genes: z.array(z.string()).describe('Genes tested, as the dataset spells them.'),
    not_found_genes: z.array(z.string()).describe('Genes of the list that the dataset does not have.'),
    not_in_background_genes: z
      .array(z.string())
      .describe('Genes of the list that the dataset has and the background has not; left out too.'),
    ...resultNotes,
  })
  .meta({ id: 'PathwayAnalysisAnswer' });
export type PathwayAnalysisAnswer = z.infer<typeof pathwayAnalysisAnswer>;
