import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { comparisonParameters } from '../comparisons/parameters.ts';
import { figureCellTest } from '../markers/cell-test-parameters.ts';
import { pathwayParameters } from '../enrichment/parameters.ts';

export const maxRankingLines = 60_000;

/** Smallest probability to resolve, of the same order as fgsea's default eps. */
export const minProbability = 1e-50;

export const rankingStatistics = ['scores', 'signed-p', 'logfoldchanges'] as const;

export const comparisonRanking = z.object({
  source: z.literal('comparison'),
  comparison: comparisonParameters,
  part: dataName
    .optional()
    .describe('The category of `within` whose genes are ranked; absent for that with most differing genes.'),
  statistic: z
    .enum(rankingStatistics)
    .default('scores')
    .describe(
      'The score of the test, the −log10 of its p-value with the sign of that score, or the log2 fold change.',
    ),
});

export const ownRanking = z.object({
  source: z.literal('own'),
  name: z.string().trim().min(1, 'Name the ranking.').max(200).default('Own ranking'),
  genes: z
    .array(dataName)
    .min(2, 'A ranking has at least two genes.')
    .max(maxRankingLines, 'A ranking has at most 60,000 lines.'),
  values: z
    .array(z.number().nullable())
    .max(maxRankingLines, 'A ranking has at most 60,000 lines.')
    .describe('One for each gene, in the same order; null for none.'),
});

export function rankingSource(comparison: typeof comparisonRanking, own = ownRanking) {
  return z
    .discriminatedUnion('source', [comparison, own])
    .refine((ranking) => ranking.source === 'comparison' || ranking.genes.length === ranking.values.length, {
      message: 'A ranking has one value for each gene: genes and values differ in number.',
      path: ['values'],
    })
    .describe('All genes of a comparison by their test, or genes and numbers of your own.');
}

const geneRankingSource = rankingSource(comparisonRanking);
export const figureRankingSource = rankingSource(
  comparisonRanking.extend({ comparison: comparisonParameters.extend(figureCellTest) }),
);

const size = (defaultSize: number) => z.number().int().min(1).max(60_000).default(defaultSize);

export const rankedEnrichmentParameters = z.object({
  ranking: geneRankingSource,
  library_name: pathwayParameters.shape.library_name,
  species: pathwayParameters.shape.species,
  method: z
    .enum(['permutation', 'multilevel'])
    .default('permutation')
    .describe(
      "P-values of gene permutations, as in gseapy's `prerank`, or of a multilevel split, as in fgsea, which estimates smaller ones.",
    ),
  min_size: size(15).meta({ title: 'Smallest Set', description: 'Minimum number of ranked genes in a set.' }),
  max_size: size(500).meta({ title: 'Largest Set', description: 'Maximum number of ranked genes in a set.' }),
  permutations: z.number().int().min(10).max(10_000).default(1000).meta({
    title: 'Permutations',
    description: 'More take longer and resolve smaller p-values.',
  }),
  weight: z
    .number()
    .min(0)
    .max(4)
    .default(1)
    .meta({ title: 'Weight', description: 'Exponent of the metric in each step of the running score.' }),
  seed: z
    .number()
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(123)
    .meta({ title: 'Seed', description: 'The same seed gives the same numbers.' }),
});
