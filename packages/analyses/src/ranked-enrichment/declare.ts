import {
  comparisonRanking,
  minProbability,
  ownRanking,
  rankedEnrichmentParameters,
  rankingSource,
} from '@cellfolio/analysis/parameters';
import { countText, percentText, plural, pluralWord } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import {
  count,
  declareAnalysis,
  type Fact,
  figure,
  genes,
  number,
  optional,
  pValue,
  text,
} from '../declare.ts';
import { falseShare } from '../fields.ts';
import { field, type FieldNote } from '../form.ts';
import {
  datasetSpecies,
  geneSetAttribution,
  geneSetLibrary,
  library,
  libraryNote,
  plainLibraryName,
} from '../gene-sets.ts';
import type { RankedLibrary, SetTests } from './compute.ts';

/** The result as figures need it: which of its sets they draw follows from their content. */
export interface RankedDrawing {
  readonly ranked: RankedLibrary;
  readonly tests: SetTests;
  /** Sets by descending absolute normalised score, those without one last, as in gseapy. */
  readonly order: Int32Array;
  readonly ranking: string;
  readonly library: string;
  readonly sides: { readonly top: string; readonly end: string };
  readonly metricName: string;
  /** Minimum p-value above 0 of the method. */
  readonly leastP: number;
}

export interface RankedSet {
  readonly term: string;
  readonly es: number;
  readonly nes: number;
  /** NaN if undefined. */
  readonly p: number;
  readonly fdr: number;
  /** NaN if unknown. */
  readonly fwer: number;
  /** Ranked genes of the set, and genes of its leading edge. */
  readonly size: number;
  readonly leading: number;
}

export interface RankedCurve extends RankedSet {
  /** Corners of the running score: ranking positions from 0 on, and scores. */
  readonly places: Float64Array;
  readonly scores: Float64Array;
  readonly hits: Int32Array;
  /** Genes of the leading edge, the most extreme first. */
  readonly leadingGenes: readonly string[];
}

/** The input of a figure. */
export interface RankedEnrichmentFigure {
  readonly ranking: string;
  readonly library: string;
  /** Conditions in which genes at the top, and at the end, of the ranking are higher. */
  readonly sides: { readonly top: string; readonly end: string };
  /** Metric of all ranked genes, descending. */
  readonly metric: Float64Array;
  readonly metricName: string;
  readonly tested: number;
  /** Minimum p-value above 0 of the method: a p of 0 means less than this. */
  readonly leastP: number;
  /** False discovery rate up to which a set counts as significant, and the number of such sets on each side. */
  readonly threshold: number;
  readonly significant: { readonly top: number; readonly end: number };
  readonly sets: readonly RankedSet[];
  /** Running score of the requested set, or of the first; null if none was tested. */
  readonly curve: RankedCurve | null;
}

/** False discovery rate up to which a set counts as significant. */
export const threshold = 0.05;
/**
 * Fewer ranked genes in sets of the library, or a smaller share of them, is reported; from `wellMatched` on, names
 * match as they should.
 */
export const fewMatched = { genes: 500, share: 0.1, wellMatched: 0.5 } as const;

/** The maximum number of lines with names and numbers of typical length takes half of it. */
const maxBytes = 4 * 1024 * 1024;

const { shape } = rankedEnrichmentParameters;
const integer = z.number().int();

const ranking = rankingSource(
  comparisonRanking.extend({
    comparison: field(comparisonRanking.shape.comparison, {
      label: 'Comparison',
      control: 'comparison',
      also: ['part'],
    }),
    statistic: field(comparisonRanking.shape.statistic, {
      label: 'Ranked by',
      choices: {
        scores: ['Score of the test'],
        'signed-p': ['Signed −log10 of the p-value'],
        logfoldchanges: ['Log2 fold change'],
      },
    }),
  }),
  ownRanking.extend({
    genes: field(ownRanking.shape.genes, {
      label: 'Genes and Numbers',
      control: 'ranking',
      also: ['values', 'name'],
    }),
  }),
);

const request = z.object({
  ranking: field(ranking, {
    label: 'Ranking',
    control: 'variants',
    choices: { comparison: ['All genes of a comparison'], own: ['My own genes and numbers'] },
  }),
  library_name: library,
  species: datasetSpecies,
  method: field(shape.method, {
    label: 'P-values',
    choices: {
      permutation: ['Permutations (GSEA)', 'Nominal p, FDR and FWER of gene permutations, as in gseapy.'],
      multilevel: [
        'Multilevel (fgsea)',
        'Smaller p-values than permutations can give, with errors; FDR of Benjamini and Hochberg.',
      ],
    },
  }),
  min_size: field(shape.min_size, { step: 5 }),
  max_size: field(shape.max_size, { step: 50 }),
  permutations: field(shape.permutations, { step: 100 }),
  weight: field(shape.weight, { step: 0.5 }),
  seed: field(shape.seed, { step: 1 }),
});
export type RankedEnrichmentRequest = z.output<typeof request>;
type Ranking = RankedEnrichmentRequest['ranking'];

const result = z.object({
  method: shape.method.unwrap().describe('As applied.'),
  ranking: z
    .object({
      name: z.string().describe('Description of the ranking.'),
      metric: z.string().describe('The number that genes are ranked by, in words.'),
      top: z.string().describe('Where genes at the top of the ranking are higher.'),
      end: z.string().describe('Where genes at its end are higher.'),
      entries: integer.describe('Genes or lines received.'),
      genes: integer.describe('Genes that were ranked, each once.'),
      repeated: integer.describe('Genes ranked more than once; their mean is used.'),
      missing: integer.describe('Entries without a number, which are left out.'),
      tied: integer.describe('Ranked genes that share their value with another.'),
      unmapped: integer.describe('Genes without an ortholog in the species of the library, left out.'),
      in_sets: integer.describe('Ranked genes that are in a set of the library.'),
    })
    .describe('Numbers of genes ranked and left out.'),
  library: geneSetLibrary.describe('The library that was tested.'),
  sets: z
    .object({
      tested: integer,
      too_small: integer.describe('Sets with fewer ranked genes than `min_size`.'),
      too_large: integer.describe('Sets with more than `max_size`.'),
      threshold: z.number().describe('FDR up to which a set is counted as significant.'),
      significant_top: integer.describe('At the top of the ranking.'),
      significant_end: integer.describe('At its end.'),
    })
    .describe('Numbers of sets of the library that were tested or left out.'),
  permutations: shape.permutations.unwrap().describe('As applied.'),
  seed: shape.seed.unwrap().describe('As applied.'),
  weight: shape.weight.unwrap().describe('As applied.'),
  min_size: shape.min_size.unwrap().describe('As applied.'),
  max_size: shape.max_size.unwrap().describe('As applied.'),
});
export type RankedEnrichmentResult = z.output<typeof result>;

/** Tests gene sets at the ends of a ranking of genes, as gseapy's `prerank` and fgsea do. */
export const rankedEnrichment = declareAnalysis({
  id: 'ranked-enrichment',
  title: 'Ranked Enrichment (GSEA)',
  task: 'enrich',
  question: 'Which gene sets go up or down in a comparison?',
  searchWords: 'GSEA enrichment pathways',
  questionPhrases: ['gsea', 'ranked enrichment'],
  names: { name: 'ranked enrichment', running: 'Running Ranked Enrichment' },
  icon: 'spline',
  summary: 'Find gene sets concentrated at the top or bottom of a ranking of genes',
  path: '/api/perform-ranked-enrichment',
  fields: { table: 'analysis', figure: 'barplot', hasNoParameters: true },
  file: 'ranked_enrichment',
  maxBytes,
  about:
    'Set sizes count ranked genes only. With weight 1, genes at the ends count more; with 0, all count the same. The same seed gives the same result.',
  request,
  result,
  table: {
    Term: text('Term'),
    ES: number('ES', 'enrichment score'),
    NES: number('NES', 'normalized by permuted scores of its sign'),
    'NOM p-val': pValue('Nominal p'),
    'FDR q-val': pValue('FDR q'),
    'FWER p-val': optional(pValue('FWER p')),
    log2err: optional(number('Log2 error of p', 'of multilevel p-values')),
    Size: count('Size', 'ranked genes of the set'),
    'Tag %': text('Leading of set', 'those of the leading edge'),
    'Gene %': text('Of ranking', 'share of the ranking up to the score'),
    Lead_genes: genes('Leading edge', 'the leading edge, the most extreme first'),
  },
  rows: { one: 'term', many: 'terms', order: 'by falling size of NES' },
  figure: figure<RankedDrawing>('ranked-enrichment-bar', 'Bar Plot', { file: 'ranked_enrichment_barplot' }),
  cautions: {
    // Permuted genes are independent of each other, while those of a set are not (Goeman and Bühlmann 2007; Wu and Smyth 2012).
    'genes-as-independent': ({ permutations }: { permutations: number }, { request: { method } }) =>
      `P-values and FDR are too small and do not generalize to other samples: each set is compared with ${method === 'permutation' ? `${countText(permutations)} permutations` : 'random sets'} of genes, as if its genes varied independently, but they are correlated.`,
    'few-genes-matched': fewGenesText,
    'one-sided-ranking': ({ highest }: { highest: number; lowest: number }) =>
      `All numbers of the ranking are ${highest <= 0 ? '0 or below' : '0 or above'}: sets at one end have small values, not a change in the other direction. Interpret one end only.`,
    ties: (numbers: TiedGenes) => `${tiesText(numbers)} Rank by a measure with fewer ties.`,
    'tied-genes': tiesText,
    'repeated-genes': ({ repeated }: { repeated: number }) =>
      `${plural(repeated, 'gene')} occurred more than once and ${pluralWord(repeated, 'has', 'have')} the mean of their values.`,
    'unexpressed-genes': ({ genes: unexpressed }: { genes: number }) =>
      `${plural(unexpressed, 'gene')} without a value in any compared cell ${pluralWord(unexpressed, 'is', 'are')} not ranked.`,
    'genes-without-number': ({ genes: without }: { genes: number }) =>
      `${plural(without, 'gene')} without a score ${pluralWord(without, 'was', 'were')} left out.`,
    'genes-unmapped': ({ genes: unmapped }: { genes: number }) =>
      `${plural(unmapped, 'gene')} without an ortholog in the species of the library ${pluralWord(unmapped, 'was', 'were')} left out.`,
    'multiple-testing': (
      { tests }: Readonly<Record<'tests' | 'passing', number>>,
      { request: { method } },
    ) => {
      const how =
        method === 'permutation'
          ? 'the FDR of a set compares the scores of all sets of its sign with those of permuted genes'
          : 'p-values are adjusted by Benjamini and Hochberg over them';
      return `${plural(tests, 'set was', 'sets were')} tested; ${how}. ${falseShare('sets', threshold, 'an FDR of at most')}`;
    },
    'sets-left-out': ({ small, large }: { tested: number; small: number; large: number }, { request }) =>
      `Left out: ${countText(small)} sets with fewer than ${countText(request.min_size)} ranked genes and ${countText(large)} with more than ${countText(request.max_size)}.`,
    'p-values-at-bound': ({ sets, bound }: SetsAtBound) =>
      bound === undefined
        ? `The p-values of ${plural(sets, 'set')} are ${minProbability} or below: smaller p-values are not estimated.`
        : `No permutation was as extreme as ${plural(sets, 'set')}: the p-value is written as 0, and is below 1/${countText(Math.round(1 / bound))}. Choose multilevel p-values to distinguish such sets.`,
    'unbalanced-ranking': ({ sets }: { sets: number; permutations: number }) =>
      `${plural(sets, 'set')} ${pluralWord(sets, 'has', 'have')} no p-value: fewer than ten permuted scores have the sign of the score. Choose more permutations.`,
  },
  headline: ['tested'],
  started: (request) =>
    `Testing ${plainLibraryName(request.library_name)} on ${rankingText(request.ranking)}`,
  describe({ library_name: name, ranking: of }, answer) {
    if (answer) return [`${answer.library.title} on ${answer.ranking.name}`, ''];
    return [plainLibraryName(name), rankingText(of)];
  },
  nothing(_, { sets, min_size, max_size }) {
    if (sets.tested === 0) {
      return {
        title: 'No Gene Sets Tested',
        text: `No set of the library has ${countText(min_size)} to ${countText(max_size)} ranked genes. Allow other sizes, or try another library.`,
      };
    }
    if (sets.significant_top + sets.significant_end > 0) return undefined;
    return {
      title: 'No Significant Gene Sets',
      text: `None of ${plural(sets.tested, 'set')} has an FDR q of ${sets.threshold} or less; the listed sets are no evidence by themselves.`,
    };
  },
  head(_, { ranking: of, library: tested, ...answer }) {
    const test =
      answer.method === 'permutation'
        ? `p-values, FDR and FWER of ${countText(answer.permutations)} gene permutations as in gseapy's prerank, seed ${answer.seed}`
        : `p-values by a multilevel split as in fgsea, FDR of Benjamini and Hochberg; normalized by ${countText(answer.permutations)} gene permutations; seed ${answer.seed}`;
    return [
      `Ranking: ${of.name}; ${countText(of.genes)} genes, top: ${of.top}, end: ${of.end}`,
      `Library: ${tested.title}: ${geneSetAttribution(tested)}`,
      `Test: ${test}; weight ${answer.weight}; sets of ${countText(answer.min_size)} to ${countText(answer.max_size)} ranked genes`,
    ];
  },
  facts: factsOf,
  notes(request, dataset) {
    const { min_size: smallest = 0, max_size: largest = Infinity } = request;
    const sizes: FieldNote =
      smallest > largest ? { problem: 'The maximum set size is below the minimum.' } : {};
    return {
      library_name: libraryNote(request, dataset) ?? {},
      max_size: sizes,
      'ranking.comparison.comparison': comparisonNote(request.ranking),
    };
  },
});

type Compared = Extract<Ranking, { source: 'comparison' }>['comparison'];

export interface MatchedGenes {
  /** Ranked genes in sets of the library, and all. */
  readonly genes: number;
  readonly ranked: number;
}

export interface TiedGenes {
  readonly tied: number;
  readonly ranked: number;
}

export interface SetsAtBound {
  readonly sets: number;
  readonly permutations?: number;
  /** P-value that permutations can reach; absent for a multilevel split. */
  readonly bound?: number;
}

/** Few ranked genes are in sets because the ranking is short, or because names do not match. */
function fewGenesText({ genes: matched, ranked }: MatchedGenes): string {
  const share = matched / ranked;
  // Names that match are not what is wrong with a short ranking.
  const isShort = ranked < fewMatched.genes && share >= fewMatched.wellMatched;
  const words = `${countText(matched)} of ${countText(ranked)} ranked genes`;
  return isShort
    ? `${words} are in any set of the library: a ranking of so few genes has little power. Rank all genes.`
    : `Only ${words} (${percentText(share)}) are in any set of the library: check that names and species are the same.`;
}

function tiesText({ tied, ranked }: TiedGenes): string {
  return `${countText(tied)} of ${countText(ranked)} ranked genes (${percentText(tied / ranked)}) share their value with another gene, so their order is arbitrary: by name, the same in every run.`;
}

/** `treated against control within each group of Cell type`. */
export function comparisonText({ a, b, within }: Pick<Compared, 'a' | 'b' | 'within'>): string {
  const groups = within === undefined ? '' : ` within each group of ${columnTitle(within)}`;
  return `${a.name} against ${b?.name ?? 'all other active cells'}${groups}`;
}

function rankingText(of: Ranking): string {
  if (of.source === 'comparison') return comparisonText(of.comparison);
  return `${of.name} (${plural(of.genes.length, 'line')})`;
}

function comparisonNote(of: Ranking | undefined): FieldNote {
  if (of?.source !== 'comparison' || of.comparison?.within === undefined) {
    return { hint: 'Compared among the active cells.' };
  }
  const part = of.part ?? 'the group with most differing genes';
  return { hint: `Compared among the active cells; ranked: ${part}.` };
}

function factsOf({ ranking: of, library: tested, sets, ...answer }: RankedEnrichmentResult): Fact[] {
  const test =
    answer.method === 'permutation'
      ? `${plural(answer.permutations, 'gene permutation')}: nominal p, FDR q and FWER p as in gseapy’s prerank`
      : `multilevel split as in fgsea, FDR of Benjamini and Hochberg; normalized by ${plural(answer.permutations, 'gene permutation')}`;
  return [
    {
      code: 'tested',
      title: 'Ranked',
      message: `${plural(of.genes, 'gene')} · ${plural(sets.tested, 'set')} tested · FDR q ≤ ${sets.threshold}: ${countText(sets.significant_top)} ${of.top}, ${countText(sets.significant_end)} ${of.end}`,
    },
    {
      code: 'ranking',
      title: 'Ranking',
      message: `${of.name}. ${plural(of.entries, 'gene')} given, ${countText(of.missing)} without a number, ${countText(of.repeated)} given more than once, ${countText(of.unmapped)} without an ortholog; ${countText(of.tied)} ranked genes share their value with another.`,
    },
    {
      code: 'origin',
      title: 'Library',
      message: `${tested.title}. ${geneSetAttribution(tested)} ${countText(of.in_sets)} ranked genes are in its sets.`,
    },
    {
      code: 'sizes',
      title: 'Gene sets',
      message: `${plural(sets.tested, 'set')} of ${countText(answer.min_size)} to ${countText(answer.max_size)} ranked genes tested; ${countText(sets.too_small)} smaller and ${countText(sets.too_large)} larger ones left out.`,
    },
    { code: 'test', title: 'Test', message: `${test}; weight ${answer.weight}, seed ${answer.seed}` },
  ];
}
