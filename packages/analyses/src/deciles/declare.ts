import {
  type ComparisonParameters,
  comparisonParameters,
  endsParameters,
} from '@cellfolio/analysis/parameters';
import { countText, listedNames, percentText, plural, pluralWord } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import { comparedParts, comparedResult, type ComparedResult, volcano } from '../compared-genes.ts';
import { count, declareAnalysis, type Fact, type FactTable, text } from '../declare.ts';
import { methodChoices, sumsProblem, valueVariants } from '../fields.ts';
import { field } from '../form.ts';

const { samples, min_sample_cells, pvals_adj, logfoldchanges } = comparisonParameters.shape;
const maxNamesListed = 40;

const integer = z.number().int();
const share = z.number().describe('From 0 to 1.');
const bound = z.number().nullable();

const end = z.object({
  cells: integer.describe('Cells in the end, of all samples that are compared.'),
  share: share.describe(
    'Of the ranked cells of these samples: more than was asked for where values are tied.',
  ),
  tied: integer.describe('Includes cells tied with the last one.'),
});

const ofSample = z.object({
  name: z.string().describe('Empty for cells without a sample.'),
  cells: integer.describe('Cells that were ranked.'),
  high: integer,
  low: integer,
  high_from: bound.describe('Lowest value of the high end; `null` if it has no cells.'),
  low_to: bound.describe('Greatest value of the low end.'),
});

const endComposition = z.object({
  column: z.string().describe('The column of obs: cell types, else clusters.'),
  distance: share.describe('Total variation distance of the shares of both ends: 0 where they are alike.'),
  unlabelled: z.object({ high: integer, low: integer }),
  groups: z.array(
    z.object({ name: z.string(), high: integer, low: integer, share_high: share, share_low: share }),
  ),
});

const endsRecord = z.object({
  ranked_by: z.string().describe('What the cells were ranked by, in words.'),
  share: z.number().describe('Percentage of the cells of a sample in each end.'),
  high: end,
  low: end,
  without_value: integer.describe('Active cells without a value, which are not ranked.'),
  without_sample: integer.describe('Active cells that are of no sample.'),
  samples: z.array(ofSample).describe('Samples that are compared.'),
  left_out: z.array(
    ofSample.extend({
      reason: z.enum(['few-cells', 'no-spread']).describe('`no-spread`: all its cells have one value.'),
    }),
  ),
  composition: endComposition.nullable().describe('`null` where the dataset has no cell types or clusters.'),
  untested: z
    .array(z.string())
    .describe('Genes that chose the cells: they are in the table, and not tested.'),
});
export type EndsRecord = z.output<typeof endsRecord>;

/** Compares the cells with the highest values of a quantity with those with the lowest. */
export const deciles = declareAnalysis({
  ...comparedParts,
  id: 'deciles',
  title: 'Top/Bottom Decile Expression Profiling',
  task: 'compare',
  question: 'Which genes differ between cells high and low in a gene or score?',
  searchWords: 'high low compare',
  questionPhrases: ['decile', 'top and bottom', 'high and low', 'high or low', 'highest and lowest'],
  icon: 'ends',
  summary: 'Compare the cells with the highest values of a gene, score or column with those with the lowest',
  path: '/api/perform-decile-analysis',
  file: 'decile_profiling',
  about:
    'Ends include all cells tied with their last one: the lowest end of a gene may be all cells without it. If the ends have different cell types, these differ too: activate a subset of one type first.',
  request: z.object({
    by: field(
      z
        .discriminatedUnion('of', valueVariants('Enter chooses a gene.'))
        .describe(endsParameters.shape.by.description ?? ''),
      {
        label: 'Rank Cells By',
        control: 'variants',
        choices: {
          gene: ['A gene'],
          signature: ['The score of a signature'],
          'cell-state': ['The score of a cell state'],
          column: ['A column of numbers'],
        },
      },
    ),
    samples: field(
      samples.describe(
        'The column of obs that says which sample a cell is from: cells are ranked within each. Absent for the one that is known of the dataset; where none is, all cells are ranked together.',
      ),
      { label: 'Samples', control: 'samples' },
    ),
    // The t-test is for groups of unrelated cells.
    method: field(
      z
        .enum(['pseudobulk', 'wilcoxon'])
        .optional()
        .describe(
          '`pseudobulk` compares both ends of each sample as a pair; `wilcoxon` is a test of single cells. Absent for pseudobulk where samples and raw counts are known.',
        ),
      {
        label: 'Method',
        choices: { pseudobulk: methodChoices.pseudobulk, wilcoxon: methodChoices.wilcoxon },
      },
    ),
    share: field(endsParameters.shape.share, { step: 1 }),
    min_sample_cells: field(
      min_sample_cells.meta({
        title: 'Min. Cells per End',
        description: 'A sample with fewer cells in an end is left out.',
      }),
      { step: 1 },
    ),
    pvals_adj: field(pvals_adj, { step: 0.01 }),
    logfoldchanges: field(logfoldchanges, { step: 0.25 }),
  }),
  result: z.object({
    ...comparedResult,
    ends: endsRecord.describe('Both ends of the ranking: A is the highest, B the lowest.'),
  }),
  figure: volcano('decile_volcano'),
  further: [
    {
      title: 'Ends',
      file: 'decile_ends',
      content: (parameters) => ({ kind: 'end-distribution', ...rankedBy(parameters) }),
    },
    {
      title: 'Composition',
      file: 'decile_composition',
      content: (parameters) => ({ kind: 'end-composition', ...rankedBy(parameters) }),
    },
  ],
  headline: ['ends'],
  facts: endFacts,
  tables: endTables,
  describe({ by, share: percent, method }) {
    const how = method === 'wilcoxon' ? 'Wilcoxon rank-sum test' : 'pseudobulk of samples';
    return [`the highest with the lowest ${percent} % of ${rankedByText(by)}`, how];
  },
  chosen({ samples: column, method }, dataset) {
    const possible = sumsProblem(column ?? undefined, dataset) === undefined ? 'pseudobulk' : 'wilcoxon';
    return { method: method ?? possible };
  },
  notes({ samples: chosen, method }, dataset) {
    const column = chosen ?? dataset.samples?.column;
    const problem = method === 'pseudobulk' ? sumsProblem(chosen, dataset) : undefined;
    return {
      by: {
        hint:
          column === undefined
            ? 'All active cells are ranked together.'
            : `Active cells are ranked within each sample (${columnTitle(column)}), so that both ends have cells of the same samples.`,
      },
      ...(problem !== undefined && { method: { problem } }),
    };
  },
});

function rankedByText(by: z.output<typeof endsParameters>['by']): string {
  if (by.of === 'gene') return by.gene;
  if (by.of === 'column') return columnTitle(by.column);
  return by.of === 'signature' ? by.score_name || 'the signature' : by.cell_state;
}

/** The question that figures of the ends are drawn from, of the parameters of a result. */
function rankedBy({ ends, samples: column, min_sample_cells: minCells }: ComparisonParameters) {
  return { ...ends, ...(column !== undefined && { samples: column }), min_sample_cells: minCells };
}

type ComparedEnds = Pick<ComparedResult, 'samples'> & { readonly ends: EndsRecord };

function endFacts({ ends, samples: compared }: ComparedEnds): Fact[] {
  const { high, low, composition, untested } = ends;
  const within = compared === null ? '' : ` within ${plural(ends.samples.length, 'sample')}`;
  const differs =
    composition === null ? '' : ` · composition differs by ${percentText(composition.distance)}`;
  return [
    {
      code: 'ends',
      title: 'Ends',
      message: `ranked by ${ends.ranked_by}${within} · highest ${countText(high.cells)} (${percentText(high.share)}), lowest ${countText(low.cells)} (${percentText(low.share)})${differs}`,
    },
    {
      code: 'cells',
      title: 'Cells',
      message: `${ends.share} % of the cells of ${compared === null ? 'all' : 'each sample'} in each end, including all cells tied with the last one: ${countText(high.tied)} in the highest, ${countText(low.tied)} in the lowest`,
    },
    ...(ends.without_value + ends.without_sample > 0
      ? [
          {
            code: 'not-ranked',
            title: 'Not ranked',
            message: `${plural(ends.without_value, 'cell')} without a value, ${plural(ends.without_sample, 'cell')} of no sample`,
          },
        ]
      : []),
    ...(untested.length > 0
      ? [
          {
            code: 'not-tested',
            title: 'Not tested',
            message: `${listedNames(untested, maxNamesListed)}: ${pluralWord(untested.length, 'it', 'they')} chose the cells`,
          },
        ]
      : []),
  ];
}

const reasons = { 'few-cells': 'left out: too few cells', 'no-spread': 'left out: only one value' } as const;

function endTables({ ends, samples: compared }: ComparedEnds): FactTable[] {
  const { composition } = ends;
  return [
    ...(compared === null ? [] : [sampleTable(ends, columnTitle(compared.column))]),
    ...(composition === null ? [] : [compositionTable(composition)]),
  ];
}

function sampleTable({ samples: taken, left_out: left }: EndsRecord, title: string): FactTable {
  const rows = [
    ...taken.map((one) => ({ ...one, note: 'yes' })),
    ...left.map((one) => ({ ...one, note: reasons[one.reason] })),
  ];
  const columns: FactTable['columns'] = [
    text(title),
    count('Cells ranked'),
    count('Highest'),
    { title: 'from', kind: 'value' },
    count('Lowest'),
    { title: 'to', kind: 'value' },
    text('Compared'),
  ];
  const shown = left.length > 0 ? columns.length : columns.length - 1;
  return {
    title: 'Samples',
    label: `Ends of each ${title}`,
    columns: columns.slice(0, shown),
    rows: rows.map(({ name, cells, high, low, high_from: from, low_to: to, note }) =>
      [name, cells, high, from, low, to, note].slice(0, shown),
    ),
  };
}

function compositionTable({ column, groups }: NonNullable<EndsRecord['composition']>): FactTable {
  const title = columnTitle(column);
  const cells = (number: number, part: number) => `${countText(number)} (${percentText(part)})`;
  return {
    title: 'Composition',
    label: `Both ends by ${title}`,
    columns: [{ ...text(title), categoriesOf: column }, count('Highest'), count('Lowest')],
    rows: groups.map(({ name, high, low, share_high: ofHigh, share_low: ofLow }) => [
      name,
      cells(high, ofHigh),
      cells(low, ofLow),
    ]),
  };
}
