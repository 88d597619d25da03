import { ligandReceptorParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { listHead, resultNotes } from './answers.ts';
import { figureParts, filePixels } from './figures.ts';
import { chosenCells } from './subsets.ts';

/** `POST /api/perform-ligand-receptor-analysis`: ligand–receptor pairs in all pairs of groups. */
export const ligandReceptorRequest = ligandReceptorParameters
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'LigandReceptorRequest' });
export type LigandReceptorRequest = z.input<typeof ligandReceptorRequest>;

const count = z.number().int();

export const pairSet = z
  .object({
    ...listHead,
    pair_count: count,
  })
  .meta({ id: 'PairSet' });
export type PairSet = z.infer<typeof pairSet>;

/** `GET /api/ligand-receptor-pairs` */
export const pairSets = z
  .object({
    sets: z.array(
      pairSet.extend({
        in_dataset: z
          .object({ found_count: count.describe('Pairs of which the dataset has both genes.') })
          .optional()
          .describe('Absent when no dataset was named.'),
      }),
    ),
  })
  .meta({ id: 'PairSets' });
export type PairSets = z.infer<typeof pairSets>;

export const ligandReceptorAnswer = z
  .object({
    interactions_csv: z
      .string()
      .describe(
        'Every interaction that was tested, by rising p-value: source, target, ligand_complex, receptor_complex, ligand_means, receptor_means, lr_means, cellphone_pvals, cellphone_pvals_adj, expr_prod, lr_logfc, min_logfc, magnitude_rank, specificity_rank, ligand_props, receptor_props, lrscore, scaled_weight, spec_weight, ligand, receptor and, where the pairs have them, reference.',
      ),
    dotplot_image: z.string().describe('PNG in base64; empty where nothing was tested.'),
    dotplot_width: count,
    dotplot_height: count,
    dotplot_print: filePixels,
    figure: figureParts.figure.nullable(),
    source: figureParts.source.nullable(),
    parameters: ligandReceptorParameters,
    group_title: z.string().describe('What the column is called where somebody reads it.'),
    pair_set: pairSet.describe('The pairs that were tested; of a list of one’s own the name is `own list`.'),
    pairs: z.object({
      listed: count,
      in_dataset: count.describe('Of these, pairs whose subunits are all genes of the dataset, each once.'),
      missing: count.describe('Pairs with a subunit that the dataset does not have.'),
      duplicates: count.describe('Pairs that are the same genes as an earlier one.'),
    }),
    groups: z.array(z.object({ name: z.string(), cells: count })),
    tests: z.object({
      looked: count.describe('Pairs in pairs of groups.'),
      tested: count.describe('Of these, with enough expressing cells of both.'),
      passing: count.describe('Of these, with p below the limit.'),
      adjusted: count.describe('Of the tested, with an adjusted p below the limit.'),
    }),
    ...resultNotes,
  })
  .meta({ id: 'LigandReceptorAnswer' });
export type LigandReceptorAnswer = z.infer<typeof ligandReceptorAnswer>;
