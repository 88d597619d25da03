import { comparisonParameters, scanpyCellTest, valueChoices } from '@cellfolio/analysis/parameters';
import { type Caution, countText, minPValue, noCountsReason, plural } from '@cellfolio/model';
import { columnTitle, dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { field, type FieldNote } from './form.ts';
import type { DatasetSpecies, OfferedList } from './lists.ts';

const { shape } = comparisonParameters;

export const obsColumn = dataName.refine((name) => name !== '', 'Name a column of obs.');

/** Two sets of the active cells. */
export function sides(aboutA: string) {
  return {
    a: field(shape.a.describe(aboutA), { control: 'sides', also: ['b'] }),
    b: shape.b,
  };
}

/** Whether groups such as `Unknown` are left out; `column` is the field that names the groups. */
export function unassigned(column: string) {
  return field(shape.unassigned, { control: 'unassigned', of: column });
}

/** A column of groups, and some of its groups. */
export function groupsOf(texts: {
  readonly column: string;
  readonly missing: string;
  readonly groups: string;
}) {
  return {
    groupby: field(
      z
        .string(texts.missing)
        .max(500)
        .refine((name) => name.trim() !== '', texts.missing)
        .describe(texts.column),
      { label: 'Group By', control: 'some-groups', also: ['groups'] },
    ),
    groups: z
      .array(dataName)
      .min(2, 'Choose at least two groups.')
      .max(500)
      .optional()
      .describe(texts.groups),
  };
}

export const samples = field(shape.samples, { label: 'Samples', control: 'column' });

const [geneValues, signatureScore, stateScore, numbers] = valueChoices;
/** A number of each cell, as variants of a field; `geneHint` is shown below the gene. */
export function valueVariants(geneHint: string) {
  const { gene } = geneValues.shape;
  const { score_name, genes } = signatureScore.shape;
  const { cell_state } = stateScore.shape;
  return [
    described(geneValues, {
      gene: field(gene, { label: 'Gene', control: 'gene', hint: geneHint }),
    }),
    described(signatureScore, {
      score_name: field(score_name, { label: 'Signature Name', control: 'text', empty: 'Cytotoxicity' }),
      genes: field(genes, { label: 'Signature genes', control: 'gene-list' }),
    }),
    described(stateScore, {
      cell_state: field(cell_state, { label: 'Cell state', control: 'cell-state' }),
    }),
    described(numbers, {
      column: field(numbers.shape.column, { label: 'Column', control: 'numbers' }),
    }),
  ] as const;
}

/** The object with the forms of its fields, and its description. */
function described<Shape extends z.ZodRawShape, Forms extends Partial<Shape>>(
  object: z.ZodObject<Shape>,
  forms: Forms,
) {
  return object.extend(forms).describe(object.description ?? '');
}

const design = 'Design';
/** Model of the samples that are compared. */
export const sampleDesign = {
  covariates: field(
    shape.covariates.describe(
      'Columns of labels or numbers, with one value for all cells of a sample on a side.',
    ),
    { control: 'covariates', also: ['numeric_covariates'], group: design },
  ),
  numeric_covariates: shape.numeric_covariates.describe(
    'Those of `covariates` whose numbers are quantities: few distinct whole numbers are categories where they are not named here.',
  ),
  pairing: field(
    shape.pairing.describe(
      'Samples with cells on both sides are pairs. `auto`: where they are more than half of the samples; `by-sample`: always; samples of one side alone are then left out.',
    ),
    {
      label: 'Pairing',
      choices: { auto: ['Automatic'], 'by-sample': ['By sample'], none: ['None'] },
      hint: 'Compares each sample that is on both sides with itself. Automatic: if most samples are on both.',
      group: design,
    },
  ),
  min_sample_cells: field(
    shape.min_sample_cells.meta({
      title: 'Min. Cells per Sample',
      description: 'A sample with fewer cells on a side is left out on that side.',
    }),
    { group: design },
  ),
};

export function adjustedPLimit(rows: string) {
  return field(
    shape.pvals_adj.meta({
      title: 'Adjusted P-Value',
      description: `${rows} below are counted as differing.`,
    }),
    { step: 0.01 },
  );
}

/** Label and meaning of each method that compares two sets of cells, the recommended first. */
export const methodChoices = {
  pseudobulk: [
    'Pseudobulk of samples',
    'Raw counts are summed by sample and tested by limma-voom: samples are the replicates, so that p-values hold for new samples.',
  ],
  'quasi-likelihood': [
    'Quasi-likelihood F test of samples',
    'The same sums by the quasi-likelihood F test of edgeR: samples are the replicates, and the test accounts for uncertain variances when there are few.',
  ],
  'negative-binomial': [
    'Negative binomial test of samples',
    'The same sums by the model of DESeq2. It finds more, but with few samples lets more false discoveries pass than stated: the result gives their number in simulations of its design. Prefer pseudobulk or quasi-likelihood.',
  ],
  wilcoxon: [
    'Wilcoxon rank-sum test of cells',
    'Each cell counts as a replicate: p-values of several samples are too small.',
  ],
  't-test': [
    'Welch’s t-test of cells',
    'Each cell counts as a replicate, too. The test also assumes normally distributed means, which fails for genes that few cells express: more of these pass by chance than with Wilcoxon.',
  ],
} as const;

/** How cells are tested: at which depth, and whether by the defaults of scanpy, for results to compare with its own. */
export const cellTest = {
  depth: field(shape.depth, { control: 'cell-test', also: ['tie_correct', 'pseudocount', 'sparse_genes'] }),
  tie_correct: shape.tie_correct,
  pseudocount: shape.pseudocount,
  sparse_genes: shape.sparse_genes,
};

/** Fields of a request that are not as usual. */
export function unusualTestText({
  tie_correct,
  depth,
  unassigned: groups,
}: {
  readonly tie_correct?: boolean | undefined;
  readonly depth?: string | undefined;
  readonly unassigned?: string | undefined;
}): string {
  const isAsScanpy = tie_correct === scanpyCellTest.tie_correct;
  return `${groups === 'left-out' ? ', without unassigned cells' : ''}${isAsScanpy ? ', tested with the defaults of scanpy' : ''}${depth === 'downsample' ? ', at equal depth' : ''}`;
}

/** The graph of nearest cells. */
export const graph = field(
  z
    .enum(['file', 'computed'])
    .optional()
    .describe(
      'The graph of nearest cells. `file`, the default, takes the graph in the file (obsp of scanpy) if it has one and all cells are analyzed. Otherwise, and for `computed`, a graph is computed from the principal components with `n_neighbors`.',
    ),
  {
    label: 'Graph of nearest cells',
    choices: {
      file: [
        'From the file, if present',
        'Neighbors applies only if the graph is computed: for a subset, or a file without a graph.',
      ],
      computed: ['Computed from the principal components'],
    },
    fromComponents: 'the graph of cells',
  },
);

/** The graph that a request asks for. */
export function graphText(chosen: 'file' | 'computed' | undefined, neighbours: number): string {
  const computed = `computed graph of ${neighbours} neighbors`;
  return chosen === 'computed' ? computed : `graph of the file, else ${computed}`;
}

const cellCount = z.number().int();

export const sampleSum = z.object({
  name: z.string(),
  side: z.enum(['a', 'b']),
  cells: cellCount,
});

export const sampleChoice = z.object({
  column: z.string(),
  reason: z.string().describe('Why this column is taken for that of the samples.'),
  nesting: z
    .object({
      samples: z.object({ column: z.string(), values: cellCount }),
      units: z.array(z.object({ column: z.string(), values: cellCount })).describe('The outermost first.'),
    })
    .optional()
    .describe(
      'Where each of the `samples` is in one of fewer `units`, such as lanes in animals: `column` is one of both. Absent elsewhere.',
    ),
});
export type SampleChoice = z.infer<typeof sampleChoice>;

export const columnKinds = z
  .array(z.enum(['categories', 'number']))
  .describe('Of the `columns`, in their order: labels and codes are categories, quantities numbers.');

export const designValues = z
  .array(z.union([z.string(), z.number(), z.null()]))
  .describe('Of the `columns` behind the side, in their order; null where missing.');

export const leftOutSums = z.array(
  sampleSum.extend({
    reason: z
      .enum(['no-counts', 'few-cells', 'one-side-alone'])
      .describe(
        '`no-counts`: none in the genes that would be tested, so that nothing can normalize it; only known once it is tested.',
      ),
  }),
);

/** The model of the compared samples, as it was fitted. */
export const designRecord = z.object({
  formula: z.string().describe('The model, as R writes it.'),
  columns: z.array(z.string()).describe('Columns of the samples: the side, then the covariates.'),
  column_kinds: columnKinds,
  coefficients: z.array(z.string()),
  paired: z.boolean().describe('Samples with cells on both sides are compared with themselves.'),
  samples: z.array(sampleSum.extend({ values: designValues })),
  left_out: leftOutSums,
  residual_df: z.number(),
  prior_df: z.number().nullable().describe('null where variances differ by chance alone: infinitely many.'),
});

/** `9 + 4.2 prior`. */
export function degreesText({
  residual_df: residual,
  prior_df: prior,
}: Pick<z.infer<typeof designRecord>, 'residual_df' | 'prior_df'>): string {
  return `${countText(residual)} + ${prior === null ? '∞' : prior.toFixed(1)} prior`;
}

/** `Batch as categories`, for the columns after the side. */
export function covariatesText({
  columns,
  column_kinds: kinds,
}: Pick<z.infer<typeof designRecord>, 'columns' | 'column_kinds'>): string[] {
  return columns
    .map((column, at) => `${columnTitle(column)} as ${kinds[at] === 'number' ? 'a number' : 'categories'}`)
    .slice(1);
}

const leftOutReasons = {
  'no-counts': 'no counts in the tested genes',
  'few-cells': 'too few',
  'one-side-alone': 'on one side only',
} as const;

/** `D6 (A: 8 cells, too few)`; `group` is the part of the comparison, empty without parts. */
export function leftOutText(sums: z.infer<typeof leftOutSums>, group = ''): string[] {
  return sums.map(({ name, side, cells, reason }) => {
    const where = `${side === 'a' ? 'A' : 'B'}${group === '' ? '' : `, ${group}`}`;
    return `${name} (${where}: ${plural(cells, 'cell')}, ${leftOutReasons[reason]})`;
  });
}

/** The name of B in texts; `cells` are those of the comparison. */
export function nameOfB(
  { b }: { readonly b?: { readonly name: string } | undefined },
  cells: number,
): string {
  return b?.name ?? `the other ${countText(cells)} active cells`;
}

/** Meaning of a threshold on adjusted p-values, or on false discovery rates. */
export function falseShare(what: string, limit: number, measure = 'an adjusted p below'): string {
  return `Of ${what} with ${measure} ${limit}, about ${Number((100 * limit).toPrecision(3))} % are false if the test holds.`;
}

/** Note on p-values that underflow to 0. */
export function pValuesAtBoundText(zeros: number): string {
  return `${plural(zeros, 'p-value is', 'p-values are')} below ${minPValue.toPrecision(2)}, too small for a number: written as 0 in the file, and ordered by their scores.`;
}

/** Notes on the samples where they are the replicates. */
export function sampleNote(chosen: string | undefined, detected: SampleChoice | undefined): FieldNote {
  const column = chosen ?? detected?.column;
  const nested = nestedSamplesText(chosen, detected);
  return {
    empty: detected ? `${columnTitle(detected.column)} (detected)` : 'None detected',
    ...(nested !== undefined && { warning: nested }),
    ...(column === undefined
      ? {
          problem: 'Choose the column of samples: they are the replicates.',
        }
      : {
          hint: `${columnTitle(column)}: ${chosen === undefined ? detected?.reason : 'the column that you chose'}. Samples are the replicates.`,
        }),
  };
}

/** `10 %`, of a share that was typed. */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(6))} %`;
}

/** A dataset as forms know it. */
export interface DatasetFacts {
  /** Groups of the cell types, of the clusters and of the fields of metadata. */
  readonly cell_types?: readonly string[];
  readonly leiden_clusters?: readonly string[];
  readonly patient_metadata?: Readonly<Record<string, readonly string[]>>;
  readonly samples?: SampleChoice | undefined;
  readonly raw_counts?: boolean;
  readonly warnings?: readonly Caution[];
  readonly species?: DatasetSpecies;
  /** The chosen list of the server; undefined while it loads, and for one of the user's own. */
  readonly list?: OfferedList | undefined;
  /** Columns of obs behind the lists of types, clusters and values. */
  readonly columns?: {
    readonly cell_types?: string | undefined;
    readonly leiden_clusters?: string | undefined;
    readonly patient_metadata: readonly { readonly field: string; readonly column: string }[];
  };
}

/** Columns that group cells: cell types, clusters and fields of metadata with a minimum of groups. */
export function groupColumns(dataset: DatasetFacts, minimum = 1): string[] {
  const { cell_types: types = [], leiden_clusters: clusters = [], patient_metadata: fields = {} } = dataset;
  const columns = [['cell_type', types], ['leiden', clusters], ...Object.entries(fields)] as const;
  return columns.flatMap(([column, groups]) => (groups.length >= minimum ? [column] : []));
}

/** The column whose groups are compared until another is chosen: cell types, else clusters, else the first field. */
export function suggestedGroupBy(dataset: DatasetFacts): string | undefined {
  return groupColumns(dataset, 2)[0];
}

/** Why sums of samples cannot be tested, with advice; undefined if they can. */
export function sumsProblem(chosen: string | undefined, dataset: DatasetFacts): string | undefined {
  if (!dataset.raw_counts) {
    return `This dataset has no raw counts to sum.${noCountsReason(dataset.warnings ?? [])} Choose a test of cells, or upload a file with raw counts.`;
  }
  return (chosen ?? dataset.samples) === undefined ? 'Choose the column of samples.' : undefined;
}

/** Why the chosen samples are not replicates, when the dataset records the individuals that they belong to. */
export function nestedSamplesText(
  chosen: string | undefined,
  detected: SampleChoice | undefined,
): string | undefined {
  const nesting = detected?.nesting;
  if (!nesting || chosen === detected.column || chosen !== nesting.samples.column) return undefined;
  const units = nesting.units.find(({ column }) => column === detected.column);
  return `${nesting.samples.values} values of ${columnTitle(chosen)} belong to ${units?.values} of ${columnTitle(detected.column)}, ${(nesting.samples.values / (units?.values ?? 1)).toFixed(1)} each: samples of one are not independent replicates, so p-values are too small.`;
}
