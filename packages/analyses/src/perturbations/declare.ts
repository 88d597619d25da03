import { isControlName } from '@cellfolio/analysis/perturbation-names';
import { countText, listedNames, percentText, plural } from '@cellfolio/model';
import { columnTitle, dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import {
  count,
  declareAnalysis,
  type FactTable,
  figure,
  genes,
  number,
  type OfferedFigure,
  optional,
  pValue,
  share,
  text,
} from '../declare.ts';
import { adjustedPLimit, type DatasetFacts, obsColumn } from '../fields.ts';
import { field, type FieldNotes } from '../form.ts';

/** The input of the figures. */
export interface PerturbationsFigure {
  /** With the most changed genes first. */
  readonly perturbations: readonly {
    readonly name: string;
    readonly cells: number;
    readonly changed: number;
    /** NaN without principal components. */
    readonly distance: number;
    readonly adjustedP: number;
  }[];
  readonly limit: number;
  readonly null: {
    readonly by: 'guides' | 'chance';
    /** Changed genes of each part of the controls. */
    readonly changed: readonly number[];
    readonly inflation: number;
    /** −log10 p by chance and as observed. */
    readonly expected: readonly number[];
    readonly observed: readonly number[];
  };
  /** Compared perturbations, similar ones side by side. */
  readonly names: readonly string[];
  /** Genes that change most in them, likewise. */
  readonly genes: readonly string[];
  /** Differences of mean log-normalized values from the controls: perturbations × genes. */
  readonly differences: ArrayLike<number>;
  /** Perturbations × perturbations. */
  readonly correlations: ArrayLike<number>;
}

/** Limits of cautions, of which the texts repeat the numbers. */
export const limits = {
  /** Inflation of the tests of controls above which p-values are called too small. */
  inflation: 1.2,
  /** Cells of controls below which they are called few. */
  controls: 100,
  /** Controls of which fewer express a target cannot show its change. */
  expressing: 10,
  /** Changed genes that a profile takes. */
  profile: 10,
} as const;
const maxNamesListed = 5;
const maxNext = 3;
const namesShown = 5;

const integer = z.number().int();

const result = z.object({
  group_by: z.string().describe('The column of obs.'),
  group_title: z.string().describe('Display name of the column.'),
  controls: z.object({
    names: z.array(z.string()).describe('The first 1,000 groups that count as controls.'),
    groups: integer,
    cells: integer,
    recognized: z.boolean().describe('By their names, as the request names none.'),
  }),
  perturbations: z.object({
    tested: integer,
    changing: integer.describe('More changed genes than any part of the controls.'),
    small: integer.describe('Left out, with fewer cells than the minimum.'),
  }),
  genes: integer.describe('Tested in each perturbation.'),
  null: z
    .object({
      by: z.enum(['guides', 'chance']).describe('How the controls were divided into parts.'),
      parts: integer,
      cells: integer.describe('Median of the parts.'),
      changed_median: z.number().describe('Changed genes of a part against the other controls.'),
      changed_most: integer,
      inflation: z
        .number()
        .describe(
          'Genomic inflation factor of their tests: 1 if p-values are as by chance, more if too many are small.',
        ),
    })
    .describe(
      'The same tests of parts of the controls against the other controls, where no gene is perturbed.',
    ),
  energy: z
    .object({
      embedding: z.string(),
      dimensions: integer,
      differing: integer.describe('Perturbations whose adjusted p is below the limit.'),
      smallest_p: z.number().describe('With this number of permutations.'),
    })
    .nullable()
    .describe('`null` where the dataset has no principal components.'),
  targets: z
    .object({
      measured: integer.describe('Perturbations whose target enough controls express.'),
      changed: integer.describe(
        'Of these, with the expected change: adjusted p over the targets below the limit.',
      ),
      unmeasured: integer.describe('Too few controls express the target.'),
      absent: integer.describe('No gene of the dataset is named as the target.'),
    })
    .describe('Perturbations by the check of their targets.'),
  compared: integer.describe('Perturbations with enough changed genes to be compared with each other.'),
  guides: z
    .object({ column: z.string(), agreement: z.number().nullable() })
    .nullable()
    .describe('`agreement`: median correlation of the guides of a perturbation.'),
  strongest: z
    .array(z.object({ name: z.string(), cells: integer, changed: integer, genes: z.array(z.string()) }))
    .describe('The ten with the most changed genes.'),
});
type Result = z.output<typeof result>;

/** Tests each perturbation of a screen against its controls. */
export const perturbations = declareAnalysis({
  id: 'perturbations',
  title: 'Perturbation Screen',
  task: 'compare',
  question: 'What does each perturbation of a screen change?',
  searchWords: 'Perturb-seq CRISPR guides knock-down knockout drug treatment energy distance controls',
  questionPhrases: ['perturbation', 'perturb', 'perturb seq', 'crispr', 'knockdown', 'knockout'],
  icon: 'target',
  summary: 'Compare each perturbation of a screen with its controls',
  path: '/api/perform-perturbation-analysis',
  names: { name: 'perturbation screen' },
  file: 'perturbations',
  about:
    'Every cell of a perturbation counts, also those that it did not change: effects are averages over both.',
  request: z.object({
    groupby: field(
      obsColumn
        .optional()
        .describe(
          'The categorical column of obs with the perturbation, or the guide, of each cell; absent for the one whose name says so, such as `perturbation` or `target_gene`.',
        ),
      { label: 'Perturbations', control: 'column', empty: 'Recognized by name', empties: ['controls'] },
    ),
    controls: field(
      z
        .array(dataName)
        .min(1)
        .max(500)
        .optional()
        .describe(
          'The groups that are controls; absent for those whose names say so, such as `control`, `non-targeting` or `NT-1`.',
        ),
      {
        label: 'Controls',
        control: 'names',
        hint: 'Names separated by commas. Empty: groups whose names say so, such as control, non-targeting or NT-1.',
      },
    ),
    guides: field(
      obsColumn
        .optional()
        .describe(
          'The categorical column of obs with the guide of each cell, by which guides of a perturbation are compared and controls divided; absent for the one whose name says so, such as `guide_id`. That of the perturbations: none.',
        ),
      {
        label: 'Guides',
        control: 'column',
        empty: 'Recognized by name, if any',
        hint: 'Guides of a perturbation are compared with each other; those of the controls show what the tests find by chance.',
      },
    ),
    batch: field(
      obsColumn
        .optional()
        .describe('The categorical column of obs within which labels are permuted for the energy distance.'),
      { label: 'Batch', control: 'column', empty: 'None: labels are permuted over all cells' },
    ),
    expected: field(
      z
        .enum(['lower', 'higher'])
        .default('lower')
        .describe(
          'The change of its target by a perturbation: `lower` by knock-down and knockout, `higher` by activation.',
        ),
      {
        label: 'Expected change of the target',
        choices: { lower: ['Lower: knock-down or knockout'], higher: ['Higher: activation'] },
      },
    ),
    min_cells: field(
      integer.min(5).max(10_000).default(20).meta({
        title: 'Min. Cells',
        description: 'Perturbations, guides and controls with fewer cells are left out.',
      }),
      { step: 1 },
    ),
    permutations: field(
      integer.min(99).max(10_000).default(999).meta({
        title: 'Permutations',
        description: 'Of the labels, for each p-value of an energy distance.',
      }),
      { step: 100 },
    ),
    pvals_adj: adjustedPLimit('Genes, energy distances and targets'),
    logfoldchanges: field(
      z.number().min(0).max(100).default(0).meta({
        title: 'Log2 Fold Change',
        description: 'Genes with at least as much in either direction count as changed.',
      }),
      { step: 0.1 },
    ),
  }),
  result,
  table: {
    perturbation: text('Perturbation'),
    target: genes('Target', 'genes of the dataset that its name names'),
    cells: count('Cells'),
    changed: count(
      'Changed genes',
      'Wilcoxon rank-sum test against the controls, adjusted p and log2 fold change beyond the limits; without its targets',
    ),
    up: count('Higher'),
    down: count('Lower'),
    target_left: share(
      'Target left',
      'mean expression of the first target over that of the controls, on a linear scale',
    ),
    target_low: share('95 % from', 'lower limit of 95 % of target_left'),
    target_high: share('95 % to'),
    target_pvals_adj: pValue(
      'Adjusted p of the target',
      'Wilcoxon, adjusted by Benjamini and Hochberg over the targets',
    ),
    target_check: text(
      'Target check',
      '"as expected", "not changed", "opposite", "too low" where too few controls express it, or "not in the data"',
    ),
    energy_distance: optional(
      number(
        'Energy distance',
        'of squared Euclidean distances of principal components, less its expectation without an effect',
      ),
    ),
    energy_pvals: optional(pValue('P of the distance', 'by permutation of labels')),
    energy_pvals_adj: optional(
      pValue('Adjusted p of the distance', 'adjusted by Benjamini and Hochberg over the perturbations'),
    ),
    guides: optional(count('Guides', 'with the minimum of cells')),
    guide_agreement: optional(
      number('Agreement of guides', 'mean correlation of the profiles of its guides'),
    ),
    top_genes: genes('Most changed genes', 'without its targets, by the score of the test'),
    similar: text('Most similar', 'perturbation with the highest correlation of profiles'),
    similarity: number(
      'Correlation',
      'of profiles: differences of mean log-normalized values from the controls, over the genes that change in any perturbation',
    ),
  },
  rows: { one: 'perturbation', many: 'perturbations', order: 'the most changed genes first' },
  figure: figure<PerturbationsFigure>('perturbation-effects', 'Effects of Perturbations'),
  cautions: {
    'cells-as-replicates': ({ cells }: { cells: number }) =>
      `Each of ${countText(cells)} cells counts as a replicate: p-values describe these cells. Trust a perturbation if several guides agree, and confirm it in another experiment.`,
    'controls-differ': (
      { inflation: lambda, changed }: { inflation: number; changed: number; parts: number },
      { result: { null: own } },
    ) =>
      `P-values are too small: ${own.by === 'guides' ? 'control guides' : 'random parts of the controls'} differ from the other controls in up to ${plural(changed, 'gene')} (inflation ${lambda.toFixed(2)}, 1 by chance). Trust perturbations with more changed genes than that.`,
    'targets-not-changed': (
      { unchanged, measured, names }: { unchanged: number; measured: number; names: string[] },
      { request },
    ) =>
      `The target is not significantly ${request.expected} in ${countText(unchanged)} of ${plural(measured, 'perturbation')} where it can be measured: ${listedNames(names, maxNamesListed)}${unchanged > names.length ? ' and others' : ''}. Check their guides before you read their effects.`,
    'batches-without-controls': ({ cells, column }: { cells: number; column: string }) =>
      `${plural(cells, 'perturbed cell is', 'perturbed cells are')} in batches of ${columnTitle(column)} without a control: differences between batches can look like effects. Leave these batches out.`,
    'too-few-permutations': ({ smallest, tests }: { smallest: number; tests: number }) =>
      `With ${smallest.toPrecision(2)} as the smallest p-value, few energy distances of ${countText(tests)} perturbations can pass adjustment: raise Permutations.`,
    'few-cells': ({ cells, limit }: { cells: number; limit: number }) =>
      `The controls are only ${plural(cells, 'cell')}, fewer than ${limit}: all tests share their chance differences. Add controls.`,
    'cells-without-components': () =>
      'The dataset has no principal components (X_pca), so no energy distances were computed. Process it from raw counts to get them.',
    'same-controls': ({ median }: { median: number }) =>
      `All profiles are differences from the same controls, which makes them correlate: the median correlation of two perturbations is ${median.toFixed(2)}.`,
    'multiple-testing': ({ tests }: { tests: number }, { request }) =>
      `${countText(tests)} tests were made; p-values are adjusted by Benjamini and Hochberg over the genes of each perturbation, not over perturbations. At ${request.pvals_adj}, a perturbation without effect has a changed gene in about ${percentText(request.pvals_adj)} of cases.`,
  },
  headline: ['controls', 'changing', 'null'],
  describe({ groupby, controls, min_cells: minCells, pvals_adj: limit }, answer) {
    const what = `perturbations${answer ? ` of ${answer.group_title}` : groupby === undefined ? '' : ` of ${columnTitle(groupby)}`}`;
    if (answer === undefined)
      return [
        what,
        `${controls ? `controls ${listedNames(controls, 2)}` : 'controls by name'}, at least ${minCells} cells, adjusted p < ${limit}`,
      ];
    return [
      what,
      `${countText(answer.perturbations.changing)} of ${countText(answer.perturbations.tested)} change more genes than controls do; Wilcoxon rank-sum test of cells against ${plural(answer.controls.cells, 'control')}, adjusted p < ${limit}`,
    ];
  },
  tables: (answer) => (answer.strongest.length === 0 ? [] : [strongestTable(answer)]),
  offered: {
    title: 'Screen Figures',
    figures(request, { compared }) {
      const offered = (
        kind: string,
        of: string | undefined,
        label: string,
        about: string,
      ): OfferedFigure => ({
        label,
        word: 'figure',
        file: `perturbation_${of ?? kind.replace(/^.*-/, '')}`,
        content: { ...request, kind, ...(of !== undefined && { of }) },
        about,
      });
      return [
        offered('perturbation-effects', undefined, 'Effects', ', changed genes and energy distances'),
        ...(compared < 2
          ? []
          : [
              offered('perturbation-matrix', 'genes', 'Changed genes', ', perturbations by genes'),
              offered(
                'perturbation-matrix',
                'similarity',
                'Similar perturbations',
                ', correlations of their profiles',
              ),
            ]),
        offered('perturbation-controls', undefined, 'Controls', ', p-values of controls against controls'),
      ];
    },
  },
  next: ({ strongest, controls, group_by: column }) => [
    ...strongest.slice(0, maxNext).map(({ name }) => ({
      analysis: 'comparison',
      label: `Volcano of ${name}`,
      title: `All genes of ${name} against the controls`,
      change: {
        a: side(column, name, [name]),
        b: side(column, 'controls', controls.names),
        within: null,
      },
      isDisabled: controls.groups > controls.names.length,
    })),
    ...(controls.groups === 1
      ? [
          {
            analysis: 'markers',
            label: 'Changed genes of all',
            title: 'The genes that are higher in each perturbation than in the controls',
            change: { groupby: column, reference: controls.names[0]! },
          },
        ]
      : []),
  ],
  impossible: ({ groups }) =>
    groups === 0 ? 'Needs a column with the perturbation of each cell.' : undefined,
  notes({ groupby, controls }, dataset): FieldNotes {
    const names = groupby === undefined ? [] : namesOf(groupby, dataset);
    if (controls !== undefined || names.length === 0) return {};
    const recognized = names.filter(isControlName);
    return {
      controls:
        recognized.length > 0
          ? { hint: `By name: ${listedNames(recognized, namesShown)}.` }
          : { problem: 'No group is named as a control: name the controls.' },
    };
  },
});

export type PerturbationsRequest = z.output<typeof perturbations.request>;
export type PerturbationsResult = Result;

/** Cells of some groups of a column, as a side of a comparison. */
function side(column: string, name: string, names: readonly string[]) {
  const filter = {
    subset_group_name: name,
    patient_metadata_filter: true,
    patient_metadata: { [column]: names },
  };
  return { name, filter };
}

function namesOf(column: string, { patient_metadata: fields, columns }: DatasetFacts): readonly string[] {
  const listed = new Map(Object.entries(fields ?? {}));
  const shown = columns?.patient_metadata.find((one) => one.column === column)?.field ?? column;
  return listed.get(shown) ?? [];
}

function strongestTable({ strongest, group_title: title }: Result): FactTable {
  return {
    title: 'Most changed genes',
    columns: [text(title), count('Cells'), count('Changed genes'), { title: 'Most changed', kind: 'genes' }],
    rows: strongest.map(({ name, cells, changed, genes: own }) => [name, cells, changed, own.join(', ')]),
  };
}
