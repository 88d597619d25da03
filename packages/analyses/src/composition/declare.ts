import { countText, listedNames, plural, pluralWord } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import { count, declareAnalysis, figure, number, optional, pValue, share, text } from '../declare.ts';
import {
  adjustedPLimit,
  designRecord,
  falseShare,
  obsColumn,
  sampleChoice,
  sampleDesign,
  sampleNote,
  samples,
  sides,
  unassigned,
} from '../fields.ts';
import { field } from '../form.ts';

/** The input of the figure: shares of each sample by category. */
export interface CompositionFigure {
  readonly a: string;
  readonly b: string;
  readonly groupTitle: string;
  readonly test: string;
  readonly transform: 'logit' | 'asin';
  readonly samples: readonly { readonly name: string; readonly side: 'a' | 'b'; readonly cells: number }[];
  /** Indices of paired samples, that of A first; absent if samples are unpaired. */
  readonly pairs?: readonly (readonly [number, number])[];
  /** Sorted by p-value, ascending. */
  readonly categories: readonly {
    readonly name: string;
    /** Per sample, from 0 to 1. */
    readonly shares: ArrayLike<number>;
    /** A against B, on the scale of the test. */
    readonly effect: number;
    readonly adjustedP: number;
  }[];
  readonly threshold: number;
}

export interface RareCategories {
  readonly limit: number;
  /** The first of them, with the cells of each. */
  readonly categories: readonly string[];
  readonly cells: readonly number[];
  readonly categoryCount: number;
}

export const scales = {
  logit: ['Log odds of shares', 'Finds more if each category has cells in most samples.'],
  asin: ['Arcsine roots of shares', 'More stable if categories are rare or absent in many samples.'],
} as const;

const integer = z.number().int();
const side = z.object({
  name: z.string(),
  cells: integer.describe('Cells of the samples that were compared.'),
});

/** Compares the composition of samples between two sets of the active cells, category by category. */
export const composition = declareAnalysis({
  id: 'composition',
  title: 'Composition Analysis',
  task: 'compare',
  question: 'Do cell types differ in their shares between conditions?',
  searchWords: 'compare shares proportions abundance',
  questionPhrases: [
    'composition',
    'proportion',
    'share',
    'abundance',
    'fraction',
    'percentage',
    'frequency',
    'how many',
  ],
  icon: 'pie',
  summary: 'Compare the composition of samples between two sets of cells',
  path: '/api/perform-composition-analysis',
  request: z.object({
    ...sides('The cells whose composition is compared: a positive effect is a larger share in them.'),
    by: field(
      obsColumn
        .optional()
        .describe(
          'The categorical column of obs whose shares are compared; absent for the cell types, else the clusters.',
        ),
      { label: 'Shares of', control: 'grouping' },
    ),
    unassigned: unassigned('by'),
    samples,
    transform: field(
      z
        .enum(['logit', 'asin'])
        .default('logit')
        .describe(
          '`logit` tests log odds of counts raised by 0.5, and finds more; `asin`, the arcsine of their roots, stays steady where categories are rare or absent in many samples.',
        ),
      { label: 'Scale', choices: scales },
    ),
    ...sampleDesign,
    pvals_adj: adjustedPLimit('Categories'),
  }),
  result: z.object({
    by: z.string().describe('The column of obs whose shares were compared.'),
    test: z.string().describe('How it was tested, in words.'),
    a: side.describe('The cells of A.'),
    b: side.describe('The cells of B, or all other active cells.'),
    samples: z
      .object({
        ...sampleChoice.shape,
        a: integer.describe('Samples of A.'),
        b: integer,
        both: integer.describe('Samples with enough cells on both sides.'),
      })
      .describe('The column of the samples, and their numbers.'),
    design: designRecord.describe('The model of the samples, as it was fitted.'),
    categories: integer.describe('Categories that were tested.'),
    differing: integer.describe('Categories whose adjusted p is below the limit.'),
  }),
  table: {
    category: text('Category'),
    share_a: share('Share in A', 'mean of the shares of samples'),
    share_b: share('Share in B', 'mean of the shares of samples'),
    log_odds: optional(
      number(
        'Log odds ratio',
        'difference of A and B in natural logarithms of the odds by the model, positive is more in A',
      ),
    ),
    asin_difference: optional(
      number(
        'Arcsine difference',
        'difference of A and B in arcsines of roots by the model, positive is more in A',
      ),
    ),
    ci_low: number('95 % from', 'lower limit of 95 % of the difference'),
    ci_high: number('95 % to', 'upper limit of 95 % of the difference'),
    ratio: number('Ratio of shares', 'share_a over share_b'),
    scores: number('Moderated t'),
    pvals: pValue('P-value'),
    pvals_adj: pValue('Adjusted p-value', 'adjusted by Benjamini and Hochberg over the categories'),
    cells_a: count('Cells of A'),
    cells_b: count('Cells of B'),
  },
  rows: { one: 'category', many: 'categories', order: 'by rising p-value' },
  figure: figure<CompositionFigure>('composition-dots', 'Composition Plot'),
  cautions: {
    'sets-of-categories': ({ sides: named }: { sides: string[] }, { result }) =>
      `${madeOf(named)} categories of ${result.by}, whose shares are compared: the shares follow from this choice. Choose sets by a property of samples, such as treatment.`,
    'sets-of-chosen-cells': ({ sides: named }: { sides: string[] }) =>
      `${madeOf(named)} cells chosen individually, on a map or by expression: their categories follow from this choice. Choose sets by a property of samples, such as treatment.`,
    'rare-categories': ({ limit, categories, cells, categoryCount }: RareCategories, { request }) =>
      `With fewer than ${limit} cells, or absent from at least half of the samples: ${listedNames(
        categories.map((name, at) => `${name} (${countText(cells[at]!)} cells)`),
      )}${categoryCount > categories.length ? ` and ${countText(categoryCount - categories.length)} more` : ''}. Their shares are mostly chance: merge them${request.transform === 'logit' ? ', or use the arcsine test' : ''}.`,
    'unlabelled-cells': ({ unlabelled }: { unlabelled: number }, { result }) =>
      `${plural(unlabelled, 'cell of A or B has', 'cells of A or B have')} no value in ${result.by} and ${pluralWord(unlabelled, 'counts', 'count')} in no share: label them to include them.`,
    'shares-add-up': () =>
      'The shares of a sample add up to 1: if one category grows, others shrink even if their cell numbers are unchanged. A dataset does not measure cell numbers in the tissue.',
    'multiple-testing': ({ tests }: { tests: number }, { request }) =>
      `${countText(tests)} categories were tested; p-values are adjusted by Benjamini and Hochberg over them. ${falseShare('categories', request.pvals_adj)}`,
  },
  headline: ['a', 'b', 'differing'],
  describe({ a, b, by, transform, pvals_adj: limit }, result) {
    const column = result?.by ?? by;
    const what = `composition of ${a.name} against ${result?.b.name ?? b?.name ?? 'all other active cells'}`;
    return [
      column === undefined ? what : `${what}, shares of ${columnTitle(column)}`,
      result ? `${result.test}; differing: adjusted p < ${limit}` : scales[transform][0],
    ];
  },
  impossible: ({ groups }) =>
    groups < 2
      ? 'Needs two columns of groups: the samples, and the categories whose shares are compared.'
      : undefined,
  notes: ({ samples: chosen }, dataset) => ({ samples: sampleNote(chosen, dataset.samples) }),
});

export type CompositionRequest = z.output<typeof composition.request>;

function madeOf(named: readonly string[]): string {
  return `${named.join(' and ')} ${pluralWord(named.length, 'consists', 'consist')} of`;
}
