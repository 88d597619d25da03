import { comparisonParameters, isOfSums } from '@cellfolio/analysis/parameters';
import { isOfExpression, typeColumn } from '@cellfolio/model';
import { columnTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import { comparedParts, comparedResult, volcano } from '../compared-genes.ts';
import { declareAnalysis } from '../declare.ts';
import {
  cellTest,
  type DatasetFacts,
  methodChoices,
  sampleDesign,
  sides,
  sumsProblem,
  unassigned,
  unusualTestText,
} from '../fields.ts';
import { field } from '../form.ts';
import { areSidesOfTypes, chosenTypes } from '../type-sides.ts';

const { shape } = comparisonParameters;
const { min_sample_cells, ...design } = sampleDesign;
const ofDesign = { control: 'column', group: 'Design' } as const;
const ofOptions = { group: 'Options', isFolded: true } as const;

const request = z.object({
  ...sides('The cells whose expression is compared: a positive log2 fold change is higher in them.'),
  within: field(shape.within, {
    label: 'Within each group of',
    control: 'column',
    empty: 'All cells together',
    isSuggested: true,
  }),
  unassigned: unassigned('within'),
  method: field(shape.method, { label: 'Method', choices: methodChoices, isSuggested: true }),
  samples: field(shape.samples, { label: 'Samples', control: 'samples' }),
  ...design,
  interaction: field(shape.interaction, {
    label: 'Interaction',
    empty: 'None: A against B',
    takesNumbers: true,
    ...ofDesign,
  }),
  random_effect: field(shape.random_effect, {
    label: 'Random effect',
    empty: 'None: samples are independent',
    hint: 'A column with several samples per value, such as the animal of four lanes: its samples are treated as correlated (duplicateCorrelation). Summing by animal (choose the column under Samples) is safer.',
    ...ofDesign,
  }),
  min_sample_cells,
  trend: field(shape.trend, {
    label: 'Trend',
    hint: 'Shrinks variances toward a curve over the mean expression. The weights of voom already follow it.',
    ...ofOptions,
  }),
  robust: field(shape.robust, {
    label: 'Robust',
    hint: 'Genes that vary far more than others do not influence the shrinkage.',
    ...ofOptions,
  }),
  ...cellTest,
  pvals_adj: field(shape.pvals_adj, { step: 0.01 }),
  logfoldchanges: field(shape.logfoldchanges, { step: 0.25 }),
  min_cells: field(shape.min_cells, { step: 1 }),
});
export type ComparisonRequest = z.input<typeof request>;
type Sent = z.output<typeof request>;

/** Compares the expression of two sets of cells, gene by gene. */
export const comparison = declareAnalysis({
  ...comparedParts,
  id: 'comparison',
  title: 'DEG Analysis',
  task: 'compare',
  question: 'Which genes differ between two sets of cells?',
  searchWords: 'differential expression DE genes compare volcano pseudobulk',
  questionPhrases: [
    'differential',
    'differentially',
    'differential expression',
    'deg',
    'de gene',
    'volcano',
    'differ',
    'difference',
    'compare',
    'comparison',
    'upregulated',
    'downregulated',
    'up regulated',
    'down regulated',
  ],
  names: { name: 'DEG analysis' },
  icon: 'compare',
  summary: 'Compare the expression of two sets of cells, gene by gene',
  path: '/api/perform-deg-analysis',
  file: 'deg_analysis',
  figure: volcano('deg_volcano'),
  about:
    'The table has every gene. Genes below the p-value and at or above the fold change (1 = doubling) are counted and colored.',
  request,
  result: z.object(comparedResult),
  headline: [],
  describe: (sent) => [
    sidesText(sent),
    `${methodTexts[sent.method]}${unusualTestText(sent)}${designText(sent)}`,
  ],
  chosen({ a, b, within, method, samples }, dataset) {
    const possible = sumsProblem(samples ?? undefined, dataset) === undefined ? 'pseudobulk' : 'wilcoxon';
    return {
      method: method ?? possible,
      // Null for all cells together.
      ...(within === undefined && { within: suggestedWithin({ a, b }, dataset) }),
    };
  },
  notes({ a, b, within, method, samples, interaction }, dataset) {
    const [areSums, absent] = [method !== undefined && isOfSums(method), { isAbsent: true } as const];
    const problem = areSums ? sumsProblem(samples, dataset) : undefined;
    const unless = (applies: boolean) => (applies ? {} : absent);
    const ofSums = unless(areSums);
    const ofCells = unless(!areSums);
    const ofVoom = unless(method === 'pseudobulk');
    return {
      within: { hint: withinHint(within, suggestedWithin({ a, b }, dataset)) },
      unassigned: unless(within !== undefined),
      method: { problem },
      covariates: ofSums,
      pairing: ofSums,
      interaction: {
        ...ofSums,
        ...(interaction !== undefined && {
          hint: `Tests whether the difference between A and B changes with ${columnTitle(interaction)}: its two labels, or each unit of its numbers.`,
        }),
      },
      random_effect: ofVoom,
      min_sample_cells: ofSums,
      trend: ofVoom,
      robust: ofVoom,
      depth: ofCells,
    };
  },
});

type Sides = { readonly [Side in 'a' | 'b']?: Sent[Side] | null };

/**
 * The column of cell types, else of clusters, that sides are compared within unless a user chooses otherwise: a side with
 * more cells of a type has more of its genes. Undefined where types or selected cells are what is compared, or no column
 * has several types.
 */
function suggestedWithin(
  sets: Sides,
  { columns, cell_types: types = [], leiden_clusters: clusters = [] }: DatasetFacts,
): string | undefined {
  // What a form has may be of another version of the page.
  const [a, b] = [shape.a.safeParse(sets.a).data, shape.b.safeParse(sets.b ?? undefined).data];
  const { cell_types: cellType, leiden_clusters: cluster } = columns ?? {};
  const roles = { ...(cellType !== undefined && { cellType }), ...(cluster !== undefined && { cluster }) };
  const column = typeColumn({ roles });
  if (!a || column === undefined || (cellType === undefined ? clusters : types).length < 2) return undefined;
  const isOfTypes = (name: string) => {
    if (isOfExpression({ roles }, name)) return true;
    const listed = columns?.patient_metadata.find((one) => one.field === name || one.column === name);
    // Labels of one's own are not listed; they say which cells are of a kind, as a rule.
    return listed === undefined || isOfExpression({ roles }, listed.column);
  };
  const isOneType = chosenTypes(a.filter, isOfTypes).some(({ names }) => names.length === 1);
  return isOneType || areSidesOfTypes(a.filter, b?.filter, isOfTypes) ? undefined : column;
}

function withinHint(within: string | undefined, types: string | undefined): string | undefined {
  if (types === undefined) return undefined;
  if (within === undefined)
    return `Genes of a group of ${columnTitle(types)} differ if A and B have different shares of it, even if no cell changed. The result shows how much the shares differ.`;
  return within === types
    ? 'Each group is compared separately, so that different shares of it in A and B do not look like gene changes. Or choose all cells together.'
    : undefined;
}

function sidesText({ a, b, within }: Pick<Sent, 'a' | 'b' | 'within'>): string {
  const groups = within === undefined ? '' : ` within each group of ${columnTitle(within)}`;
  return `${a.name} with ${b?.name ?? 'all other active cells'}${groups}`;
}

const methodTexts = {
  pseudobulk: 'pseudobulk of samples',
  'quasi-likelihood': 'quasi-likelihood F test of samples',
  'negative-binomial': 'negative binomial test of samples',
  wilcoxon: 'Wilcoxon rank-sum test',
  't-test': 'Welch’s t-test',
} as const;

function designText(sent: Sent): string {
  const { method, samples, covariates, interaction, random_effect: random, pairing, trend, robust } = sent;
  if (!isOfSums(method)) return '';
  const parts = [
    samples !== undefined && `samples of ${columnTitle(samples)}`,
    covariates.length > 0 && `allowing for ${covariates.map((column) => columnTitle(column)).join(', ')}`,
    interaction !== undefined && `interaction with ${columnTitle(interaction)}`,
    random !== undefined && `random effect of ${columnTitle(random)}`,
    pairing === 'by-sample' && 'in pairs',
    pairing === 'none' && 'without pairs',
    trend && 'with a trend',
    robust && 'robust',
  ];
  return parts
    .filter((part) => typeof part === 'string')
    .map((part) => `, ${part}`)
    .join('');
}
