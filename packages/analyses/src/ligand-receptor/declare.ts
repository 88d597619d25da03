import { countText, plural, pluralWord } from '@cellfolio/model';
import { groupByTitle } from '@cellfolio/model/names';
import { z } from 'zod';
import {
  declareAnalysis,
  figure,
  genes,
  number,
  optional,
  pValue,
  share,
  text,
  withoutGroups,
} from '../declare.ts';
import { groupsOf, percent, suggestedGroupBy } from '../fields.ts';
import { field, type FieldNote } from '../form.ts';
import type { OfferedList } from '../lists.ts';
import { pairSet } from '../reference-lists.ts';

export const abridgedPairs = 'abridged';
/** Maximum characters of pasted or uploaded pairs: ten thousand rows of typical length. */
export const maxOwnPairsLength = 400_000;

/** The input of the figures: pairs in pairs of groups that express both, columns of equal length. */
export interface LigandReceptorFigure {
  readonly groupTitle: string;
  readonly groups: readonly { readonly label: string; readonly cells: number }[];
  readonly pairs: readonly { readonly ligand: string; readonly receptor: string }[];
  readonly sources: Uint16Array;
  readonly targets: Uint16Array;
  readonly pairOf: Uint32Array;
  readonly means: Float64Array;
  readonly pValues: Float64Array;
  readonly permutations: number;
  /** Smaller p-values count. */
  readonly threshold: number;
  readonly pairSet: string;
}

const integer = z.number().int();

const request = z.object({
  ...groupsOf({
    column: 'A categorical column of obs, by its name or display name.',
    missing: 'Name the column to group the cells by.',
    groups: 'Groups to include, also in the permutations; absent for all groups.',
  }),
  pairs: field(
    z
      .string()
      .trim()
      .min(1)
      .max(80)
      .default(abridgedPairs)
      .describe(
        'The set of ligand–receptor pairs: `abridged`, which comes with the product, or one that is installed.',
      ),
    { label: 'Pairs', control: 'list', source: 'pairs', also: ['own_pairs'] },
  ),
  own_pairs: z
    .string()
    .max(maxOwnPairsLength, 'A list of pairs has 400,000 characters at most.')
    .optional()
    .describe(
      'Your own pairs instead of a set: CSV with the columns ligand and receptor, subunits of a complex joined by + or _, 10,000 rows at most. Its symbols are compared by name.',
    ),
  min_share: field(
    z.number().min(0).max(1).default(0.1).meta({
      title: 'Min. Share Expressing',
      description:
        'Not tested where a smaller share of the source group expresses the ligand, or of the target group the receptor; of a complex, all subunits.',
    }),
    { label: 'Min. Expressing (%)', isPercent: true, step: 1 },
  ),
  min_cells: field(
    integer
      .min(2, 'A group of one cell cannot be tested.')
      .max(10_000)
      .default(10)
      .meta({ title: 'Min. Cells per Group', description: 'Groups with fewer cells are left out.' }),
    { step: 1 },
  ),
  pval: field(
    z.number().min(0).max(1).default(0.05).meta({
      title: 'P-Value',
      description: 'Interactions below are counted and drawn.',
    }),
    { step: 0.01 },
  ),
  permutations: field(
    integer.min(100).max(10_000).default(1000).meta({
      title: 'Permutations',
      description: 'Of the labels of cells; p-values have steps of 1 in this number.',
    }),
    { step: 100 },
  ),
  seed: field(
    integer.min(0).max(0xffffffff).default(0).meta({
      title: 'Seed',
      description: 'Of the permutations: the same seed gives the same p-values.',
    }),
    { step: 1 },
  ),
});

const result = z.object({
  group_title: z.string().describe('Display name of the column.'),
  pair_set: pairSet.describe('The pairs that were tested; your own list is named `own list`.'),
  pairs: z
    .object({
      listed: integer.describe('Pairs of the set.'),
      in_dataset: integer.describe('Of these, pairs whose subunits are all genes of the dataset, each once.'),
      missing: integer.describe('Pairs with a subunit that the dataset does not have.'),
      duplicates: integer.describe('Pairs that are the same genes as an earlier one.'),
    })
    .describe('Numbers of pairs of the set.'),
  groups: z.array(z.object({ name: z.string(), cells: integer })).describe('The groups that were taken.'),
  tests: z
    .object({
      looked: integer.describe('Pairs in pairs of groups.'),
      tested: integer.describe('Of these, with enough expressing cells of both.'),
      passing: integer.describe('Of these, with p below the limit.'),
      adjusted: integer.describe('Of the tested, with an adjusted p below the limit.'),
    })
    .describe('Numbers of interactions.'),
});

/** Tests ligand–receptor pairs between groups by CellPhoneDB's permutations and LIANA's scores. */
export const ligandReceptor = declareAnalysis({
  id: 'ligand-receptor',
  title: 'Ligand-Receptor Analysis',
  task: 'interact',
  question: 'Which cell types may signal to each other?',
  searchWords: 'cell communication interaction signaling',
  questionPhrases: [
    'ligand',
    'receptor',
    'ligand receptor',
    'communication',
    'interaction',
    'interact',
    'signal',
    'signaling',
    'crosstalk',
  ],
  icon: 'arrows',
  doing: 'Testing',
  summary: 'Test ligand–receptor pairs between the groups of a column',
  path: '/api/perform-ligand-receptor-analysis',
  fields: { table: 'interactions', figure: 'dotplot' },
  file: 'ligand_receptor_analysis',
  about:
    'A pair is tested if enough cells of one group express the ligand and enough of another, or the same, the receptor. Cell labels are permuted; p is the share of permutations with a mean at least as high, and the same seed gives the same result.',
  request,
  result,
  // LIANA's names where it has the column.
  table: {
    source: text('Source'),
    target: text('Target'),
    ligand_complex: genes('Ligand'),
    receptor_complex: genes('Receptor'),
    ligand_means: number('Ligand mean'),
    receptor_means: number('Receptor mean'),
    lr_means: number(
      'Mean',
      'mean of the mean log-normalized values of ligand and receptor, a complex its subunit of the smallest mean (columns ligand and receptor)',
    ),
    cellphone_pvals: pValue('P-value', 'share of the permutations of the labels with a mean as high'),
    cellphone_pvals_adj: number('Adjusted p-value', 'adjusted by Benjamini and Hochberg'),
    expr_prod: number('Product', 'of NATMI and Connectome'),
    lr_logfc: number('Log2 fold change', 'mean log2 fold change of each group against all other cells'),
    min_logfc: number('Smaller fold change', 'the smaller of the two'),
    magnitude_rank: number(
      'Magnitude rank',
      'robust rank aggregate (Kolde et al. 2012) of lr_means, expr_prod and lrscore',
    ),
    specificity_rank: number(
      'Specificity rank',
      'the same of cellphone_pvals, lr_logfc, scaled_weight and spec_weight',
    ),
    ligand_props: share('Expressing ligand', 'share of the cells of the source group'),
    receptor_props: share('Expressing receptor', 'share of the cells of the target group'),
    lrscore: number('LR score', 'of SingleCellSignalR'),
    scaled_weight: number('Scaled weight', 'of Connectome'),
    spec_weight: number('Specificity weight', 'of NATMI'),
    ligand: text('Ligand subunit'),
    receptor: text('Receptor subunit'),
    reference: optional(text('Reference', 'where the pairs have them')),
  },
  rows: { one: 'interaction', many: 'interactions', order: 'by rising p-value' },
  figure: figure<LigandReceptorFigure>('ligand-receptor-dots', 'Dot Plot', {
    file: 'ligand_receptor_dotplot',
    isOptional: true,
  }),
  cautions: {
    'expression-is-no-contact': () =>
      'A pair is a hypothesis, not proof of signaling: expression is not protein, and groups that express a ligand and its receptor need not be neighbors in the tissue.',
    'one-sided-interactions': (numbers: OneSidedPairs) =>
      `In ${countText(numbers.oneSided)} of the ${countText(numbers.passing)} interactions that pass, only the ligand or only the receptor is higher in its group than elsewhere. To find them, sort by the smaller fold change (min_logfc).`,
    'multiple-testing': (
      { tests, looked, permutations, adjustedPassing, zeroPs }: PermutedTests,
      { request: { pval } },
    ) => {
      const zero =
        zeroPs === 0 ? '' : ` A p of 0 (${countText(zeroPs)} times) means that no permutation was as high.`;
      return `About ${countText(Math.round(tests * pval))} interactions would have p < ${pval} by chance: ${countText(tests)} of ${countText(looked)} were tested, and p is not adjusted, as in CellPhoneDB. Adjusted (cellphone_pvals_adj, Benjamini and Hochberg), ${countText(adjustedPassing)} are below ${pval}. The smallest p above 0 is 1/${countText(permutations)}.${zero}`;
    },
    'abridged-pairs': ({ pairs }: { pairs: number }, { result: { pair_set: set } }) =>
      `The pairs are ${set.label}: ${countText(pairs)} of the thousands that published resources list; others were not tested. Add your own list, or ask the operator to install a published resource.`,
    'pairs-left-out': ({ pairs, inDataset, missing, duplicates }: LeftOutPairs) => {
      const parts = [
        ...(missing > 0
          ? [`${countText(missing)} have a subunit that is not among the genes of the dataset`]
          : []),
        ...(duplicates > 0 ? [`${countText(duplicates)} are the same genes as another one`] : []),
      ];
      return `Of ${countText(pairs)} pairs ${countText(inDataset)} are in the dataset; ${parts.join(', and ')}.`;
    },
  },
  headline: ['pairs'],
  describe({ groupby, groups, pairs, own_pairs, min_share, min_cells, permutations, seed, pval }, answer) {
    if (answer === undefined) {
      const some = groups === undefined ? 'the groups' : `${countText(groups.length)} groups`;
      const set = own_pairs === undefined ? `pairs ${pairs}` : 'pairs of your own list';
      return [
        `${set} between ${some} of ${groupByTitle(groupby)}`,
        `${permutations} permutations, seed ${seed}, p < ${pval}`,
      ];
    }
    return [
      `by ${answer.group_title}`,
      `pairs that ${percent(min_share)} of the cells of both groups express, groups of ${min_cells} cells or more; ${countText(permutations)} permutations, seed ${seed}; counted: p < ${pval}`,
    ];
  },
  nothing({ pval, min_share }, { tests, pairs }) {
    if (tests.passing > 0) return undefined;
    return tests.tested === 0
      ? {
          title: 'No Pair Is Expressed',
          text: `None of ${plural(pairs.in_dataset, 'pair')} has both genes in ${percent(min_share)} of the cells of two groups. Lower Min. Expressing, or try other pairs.`,
        }
      : {
          title: 'No Interaction Passes',
          text: `None of ${plural(tests.tested, 'interaction')} has p < ${pval}. The table has all of them.`,
        };
  },
  notes: (_, { list }) => ({ pairs: list === undefined ? {} : pairsNote(list) }),
  impossible: withoutGroups,
  chosen: ({ groupby }, dataset) => ({ groupby: groupby ?? suggestedGroupBy(dataset) }),
});

export type LigandReceptorRequest = z.output<typeof request>;

function pairsNote({ total, foundCount }: OfferedList): FieldNote {
  return foundCount === 0
    ? {
        problem: `None of its ${plural(total, 'pair')} has both genes in this dataset: choose another set, or paste your own.`,
      }
    : {
        hint: `${countText(foundCount)} of ${plural(total, 'pair')} ${pluralWord(foundCount, 'has', 'have')} both genes in this dataset.`,
      };
}

type PermutedTests = Readonly<
  Record<'tests' | 'looked' | 'permutations' | 'passing' | 'adjustedPassing' | 'zeroPs', number>
>;
type OneSidedPairs = Readonly<Record<'oneSided' | 'passing', number>>;
type LeftOutPairs = Readonly<Record<'pairs' | 'inDataset' | 'missing' | 'duplicates', number>>;
