import { sumsProblem } from '@cellfolio/analyses';
import type { ComparisonRequest, DatasetAnalysis } from '@cellfolio/contract';
import {
  areSidesOfTypes,
  chosenTypes,
  comparisonRequest,
  isOfExpression,
  isOfSums,
  typeColumn,
} from '@cellfolio/contract';
import {
  cellTestDefaults,
  type CellTestForm,
  areValid,
  cellTestRequest,
  numberOrZero,
  numberParameter,
  standardsOf,
} from '@/features/analyses/index.ts';
import { readChosenSet } from '@/features/cell-sets/index.ts';
import { unassignedOf } from '@/features/markers/index.ts';
import { covariatesOf, numericCovariatesOf } from '@/features/sample-design/index.ts';

/** The form fields as typed; sets of cells as JSON. */
export interface ComparisonForm extends CellTestForm {
  /** Empty for none. */
  a: string;
  /** Empty for all other active cells. */
  b: string;
  /** A column of obs; empty for the types of the cells, where sides of several types are compared. */
  within: string;
  /** `yes` for all cells together. */
  together: string;
  /** `left-out` for the groups of `within` that are of cells without a group. */
  unassigned: string;
  /** Empty for the recommended one. */
  method: string;
  /** A column of obs; empty for the one recorded with the dataset. */
  samples: string;
  /**
   * JSON list of obs columns with covariates. This and the next three fields apply to sums of samples; the next one
   * lists which covariates are quantities.
   */
  covariates: string;
  numericCovariates: string;
  pairing: string;
  /** Empty for none. */
  interaction: string;
  /** Empty for none; only for pseudobulk. */
  randomEffect: string;
  minSampleCells: string;
  /** `yes` or empty, only for pseudobulk; the same applies to the next field. */
  trend: string;
  robust: string;
  minCells: string;
  adjustedPValue: string;
  foldChange: string;
}

const { min_cells, min_sample_cells, pvals_adj, logfoldchanges } = comparisonRequest.shape;

export const comparisonNumbers = [
  { field: 'adjustedPValue', step: 0.01, ...numberParameter(pvals_adj) },
  { field: 'foldChange', step: 0.25, ...numberParameter(logfoldchanges) },
  { field: 'minCells', step: 1, ...numberParameter(min_cells) },
] as const;

export const sampleNumber = {
  field: 'minSampleCells',
  step: 1,
  ...numberParameter(min_sample_cells),
} as const;

type ComparisonMethod = NonNullable<ComparisonRequest['method']>;

/** The recommended method comes first. */
export const comparisonMethods: readonly {
  value: ComparisonMethod;
  label: string;
  reason: string;
}[] = [
  {
    value: 'pseudobulk',
    label: 'Pseudobulk of samples',
    reason:
      'Raw counts are summed by sample and tested by limma-voom: samples are the replicates, so that p-values hold for new samples.',
  },
  {
    value: 'quasi-likelihood',
    label: 'Quasi-likelihood F test of samples',
    reason:
      'The same sums by the quasi-likelihood F test of edgeR: samples are the replicates, and the test accounts for uncertain variances when there are few.',
  },
  {
    value: 'negative-binomial',
    label: 'Negative binomial test of samples',
    reason:
      'The same sums by the model of DESeq2. It finds more, but with few samples lets more false discoveries pass than stated: the result gives their number in simulations of its design. Prefer pseudobulk or quasi-likelihood.',
  },
  {
    value: 'wilcoxon',
    label: 'Wilcoxon rank-sum test of cells',
    reason: 'Each cell counts as a replicate: p-values of several samples are too small.',
  },
  {
    value: 't-test',
    label: 'Welch’s t-test of cells',
    reason:
      'Each cell counts as a replicate, too. The test also assumes normally distributed means, which fails for genes that few cells express: more of these pass by chance than with Wilcoxon.',
  },
];

/** Options of pseudobulk's moderated tests; off by default, as in limma. */
export const moderationOptions = [
  {
    field: 'trend',
    label: 'Trend',
    reason:
      'Shrinks variances towards a curve over the mean expression. The weights of voom already follow it.',
  },
  {
    field: 'robust',
    label: 'Robust',
    reason: 'Genes that vary far more than others do not influence the shrinkage.',
  },
] as const;

export const pairings = [
  { value: 'auto', label: 'Automatic' },
  { value: 'by-sample', label: 'By sample' },
  { value: 'none', label: 'None' },
] as const;

export const comparisonDefaults: ComparisonForm = {
  a: '',
  b: '',
  within: '',
  together: '',
  unassigned: 'groups',
  method: '',
  samples: '',
  covariates: '[]',
  numericCovariates: '[]',
  pairing: 'auto',
  interaction: '',
  randomEffect: '',
  minSampleCells: sampleNumber.defaultValue,
  trend: '',
  robust: '',
  ...cellTestDefaults,
  ...standardsOf(comparisonNumbers),
};

type DatasetFacts = Pick<DatasetAnalysis, 'samples' | 'raw_counts'> &
  Partial<Pick<DatasetAnalysis, 'warnings' | 'columns' | 'cell_types' | 'leiden_clusters'>>;

/**
 * The column of cell types, else of clusters, that sides are compared within unless a user chooses otherwise: a side with
 * more cells of a type has more of its genes. Undefined where types or selected cells are what is compared, or no column
 * has several types.
 */
export function typeColumnOf(
  form: Pick<ComparisonForm, 'a' | 'b'>,
  { columns, cell_types: types = [], leiden_clusters: clusters = [] }: DatasetFacts,
): string | undefined {
  const [a, b] = [readChosenSet(form.a), readChosenSet(form.b)];
  const { cell_types: cellType, leiden_clusters: cluster } = columns ?? {};
  const roles = { ...(cellType !== undefined && { cellType }), ...(cluster !== undefined && { cluster }) };
  const column = typeColumn({ roles });
  if (!a || column === undefined || (cellType === undefined ? clusters : types).length < 2) return undefined;
  const isOfTypes = (field: string) => {
    if (isOfExpression({ roles }, field)) return true;
    const listed = columns?.patient_metadata.find((one) => one.field === field || one.column === field);
    // Labels of one's own are not listed; they say which cells are of a kind, as a rule.
    return listed === undefined || isOfExpression({ roles }, listed.column);
  };
  const isOneType = chosenTypes(a.filter, isOfTypes).some(({ names }) => names.length === 1);
  return isOneType || areSidesOfTypes(a.filter, b?.filter, isOfTypes) ? undefined : column;
}

/** The column that cells are compared within; empty for all cells together. */
export function withinOf(
  form: Pick<ComparisonForm, 'a' | 'b' | 'within' | 'together'>,
  dataset: DatasetFacts,
): string {
  if (form.within !== '' || form.together === 'yes') return form.within;
  return typeColumnOf(form, dataset) ?? '';
}

/** The chosen method; default: pseudobulk if samples and raw counts exist. */
export function methodOf(
  form: Pick<ComparisonForm, 'method' | 'samples'>,
  dataset: DatasetFacts,
): ComparisonMethod {
  const chosen = comparisonMethods.find(({ value }) => value === form.method)?.value;
  const isPossible = dataset.raw_counts && samplesOf(form, dataset) !== undefined;
  return chosen ?? (isPossible ? 'pseudobulk' : 'wilcoxon');
}

export function pairingOf({ pairing }: Pick<ComparisonForm, 'pairing'>): (typeof pairings)[number]['value'] {
  return pairings.find(({ value }) => value === pairing)?.value ?? 'auto';
}

export function comparisonRequestOf(form: ComparisonForm, dataset: DatasetFacts): ComparisonRequest {
  const [a, b] = [readChosenSet(form.a), readChosenSet(form.b)];
  const method = methodOf(form, dataset);
  const within = withinOf(form, dataset);
  return {
    a: a ?? { name: '', filter: { subset_group_name: 'A' } },
    ...(b && { b }),
    ...(within !== '' && { within, ...unassignedOf(form) }),
    method,
    ...(form.samples !== '' && { samples: form.samples }),
    ...(isOfSums(method) && {
      covariates: covariatesOf(form),
      ...numericCovariatesOf(form),
      pairing: pairingOf(form),
      ...(form.interaction !== '' && { interaction: form.interaction }),
      min_sample_cells: Math.trunc(numberOrZero(form.minSampleCells)),
    }),
    ...(!isOfSums(method) && cellTestRequest(form)),
    ...(method === 'pseudobulk' && {
      ...(form.randomEffect !== '' && { random_effect: form.randomEffect }),
      trend: form.trend === 'yes',
      robust: form.robust === 'yes',
    }),
    min_cells: Math.trunc(numberOrZero(form.minCells)),
    pvals_adj: numberOrZero(form.adjustedPValue),
    logfoldchanges: numberOrZero(form.foldChange),
  };
}

export function isComplete(form: ComparisonForm, dataset: DatasetFacts): boolean {
  if (readChosenSet(form.a) === undefined) return false;
  const isSummed = isOfSums(methodOf(form, dataset));
  if (isSummed && sumsProblem(form.samples || undefined, dataset) !== undefined) return false;
  const numbers = isSummed ? [...comparisonNumbers, sampleNumber] : comparisonNumbers;
  return areValid(numbers, form);
}

/** The sample column that applies to a form, with the reason; undefined when unknown. */
export function samplesOf(
  { samples }: Pick<ComparisonForm, 'samples'>,
  { samples: detected }: Pick<DatasetAnalysis, 'samples'>,
): { column: string; reason: string } | undefined {
  return samples === '' ? detected : { column: samples, reason: 'the column that you chose' };
}
