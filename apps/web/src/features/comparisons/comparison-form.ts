import type { ComparisonRequest, DatasetAnalysis } from '@cellfolio/contract';
import { comparisonRequest } from '@cellfolio/contract';
import { numberOrZero, numberParameter, numberProblem } from '@/features/analyses/index.ts';
import { readChosenSet } from '@/features/cell-sets/index.ts';

/** The fields as they are typed; sets of cells as JSON. */
export interface ComparisonForm {
  /** Empty for none. */
  a: string;
  /** Empty for all other active cells. */
  b: string;
  /** A column of obs; empty for all cells together. */
  within: string;
  method: string;
  /** A column of obs; empty for the one that is known of the dataset. */
  samples: string;
  minCells: string;
  adjustedPValue: string;
  foldChange: string;
}

const { min_cells, pvals_adj, logfoldchanges } = comparisonRequest.shape;

/** The numbers of the form, as their schemas know them. */
export const comparisonNumbers = [
  { field: 'adjustedPValue', step: 0.01, ...numberParameter(pvals_adj) },
  { field: 'foldChange', step: 0.25, ...numberParameter(logfoldchanges) },
  { field: 'minCells', step: 1, ...numberParameter(min_cells) },
] as const;

export const comparisonMethods = [
  { value: 'wilcoxon', label: 'Wilcoxon rank-sum test of cells' },
  { value: 't-test', label: 'Welch’s t-test of cells' },
] as const;

export const comparisonDefaults: ComparisonForm = {
  a: '',
  b: '',
  within: '',
  method: 'wilcoxon',
  samples: '',
  ...(Object.fromEntries(comparisonNumbers.map(({ field, standard }) => [field, standard])) as Record<
    (typeof comparisonNumbers)[number]['field'],
    string
  >),
};

export function methodOf({
  method,
}: Pick<ComparisonForm, 'method'>): (typeof comparisonMethods)[number]['value'] {
  return comparisonMethods.find(({ value }) => value === method)?.value ?? 'wilcoxon';
}

export function comparisonRequestOf(form: ComparisonForm): ComparisonRequest {
  const [a, b] = [readChosenSet(form.a), readChosenSet(form.b)];
  return {
    a: a ?? { name: '', filter: { subset_group_name: 'A' } },
    ...(b && { b }),
    ...(form.within !== '' && { within: form.within }),
    method: methodOf(form),
    ...(form.samples !== '' && { samples: form.samples }),
    min_cells: Math.trunc(numberOrZero(form.minCells)),
    pvals_adj: numberOrZero(form.adjustedPValue),
    logfoldchanges: numberOrZero(form.foldChange),
  };
}

/** Whether the form says what is compared, with numbers that the server takes. */
export function isComplete(form: ComparisonForm): boolean {
  if (readChosenSet(form.a) === undefined) return false;
  return comparisonNumbers.every(
    ({ field, ...parameter }) => numberProblem(parameter, form[field]) === undefined,
  );
}

/** The column of the samples that applies to a form, with the reason; undefined where none is known. */
export function samplesOf(
  { samples }: Pick<ComparisonForm, 'samples'>,
  { samples: known }: Pick<DatasetAnalysis, 'samples'>,
): { column: string; reason: string } | undefined {
  return samples === '' ? known : { column: samples, reason: 'the column that you chose' };
}
