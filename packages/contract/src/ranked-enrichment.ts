import { rankedEnrichmentParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import { resultNotes } from './answers.ts';
import { figureParts, filePixels } from './figures.ts';
import { geneSetLibrary } from '@cellfolio/analyses';
import { chosenCells } from './subsets.ts';

/**
 * Maximum bytes of a body with a ranking; the maximum number of lines with names and numbers of typical length takes
 * half of it.
 */
export const maxRankingBytes = 4 * 1024 * 1024;

/** `POST /api/perform-ranked-enrichment`: gene sets at the ends of a ranking, as gseapy's `prerank` and fgsea test them. */
export const rankedEnrichmentRequest = rankedEnrichmentParameters
  .extend({ cells: chosenCells.optional() })
  .meta({ id: 'RankedEnrichmentRequest' });
export type RankedEnrichmentRequest = z.input<typeof rankedEnrichmentRequest>;

const count = z.number().int();
const { method, permutations, seed, weight, min_size, max_size } = rankedEnrichmentParameters.shape;

export const rankedEnrichmentAnswer = z
  .object({
    analysis_csv: z
      .string()
      .describe(
        'Every tested set, by falling size of NES: Term, ES, NES, NOM p-val, FDR q-val, FWER p-val (log2err of multilevel p-values), Size, Tag %, Gene %, Lead_genes.',
      ),
    barplot_image: z.string().describe('PNG in base64.'),
    barplot_width: count,
    barplot_height: count,
    barplot_print: filePixels,
    ...figureParts,
    method: method.unwrap(),
    ranking: z
      .object({
        name: z.string().describe('What was ranked by what, in words.'),
        metric: z.string(),
        top: z.string().describe('Where genes at the top of the ranking are higher.'),
        end: z.string(),
        entries: count.describe('Genes or lines that came in.'),
        genes: count.describe('Genes that were ranked, each once.'),
        repeated: count.describe('Ranked genes that came more than once; they have the mean.'),
        missing: count.describe('Entries without a number, which are left out.'),
        tied: count.describe('Ranked genes that share their number with another.'),
        unmapped: count.describe('Genes without an orthologue in the species of the library, left out.'),
        in_sets: count.describe('Ranked genes that are in a set of the library.'),
      })
      .describe('What became of the genes.'),
    library: geneSetLibrary,
    sets: z
      .object({
        tested: count,
        too_small: count.describe('Sets with fewer ranked genes than `min_size`.'),
        too_large: count,
        threshold: z.number().describe('FDR up to which a set is counted as significant.'),
        significant_top: count,
        significant_end: count,
      })
      .describe('What became of the sets of the library.'),
    permutations: permutations.unwrap(),
    seed: seed.unwrap(),
    weight: weight.unwrap(),
    min_size: min_size.unwrap(),
    max_size: max_size.unwrap(),
    ...resultNotes,
  })
  .meta({ id: 'RankedEnrichmentAnswer' });
export type RankedEnrichmentAnswer = z.infer<typeof rankedEnrichmentAnswer>;
