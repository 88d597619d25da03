import type { CompositionRequest, DatasetAnalysis } from '@cellfolio/contract';
import { compositionRequest } from '@cellfolio/contract';
import { areValid, numberOrZero, numberParameter } from '@/features/analyses/index.ts';
import { unassignedOf } from '@/features/markers/index.ts';
import { readChosenSet } from '@/features/cell-sets/index.ts';
import {
  covariatesOf,
  numericCovariatesOf,
  pairingOf,
  sampleNumber,
  samplesOf,
} from '@/features/comparisons/index.ts';

export interface CompositionForm {
  /** Empty for none. */
  a: string;
  /** Empty for all other active cells. */
  b: string;
  /** A column of obs; empty for the cell types, else the clusters. */
  by: string;
  transform: string;
  /** `left-out`, or anything else for categories like the others. */
  unassigned: string;
  /** A column of obs; empty for the one recorded with the dataset. */
  samples: string;
  /** A JSON list of obs columns. */
  covariates: string;
  /** Covariates that are quantities, as JSON. */
  numericCovariates: string;
  pairing: string;
  minSampleCells: string;
  adjustedPValue: string;
}

export const limitNumber = {
  field: 'adjustedPValue',
  step: 0.01,
  ...numberParameter(compositionRequest.shape.pvals_adj),
} as const;

export const transforms = [
  {
    value: 'logit',
    label: 'Log odds of shares',
    reason: 'Finds more if each category has cells in most samples.',
  },
  {
    value: 'asin',
    label: 'Arcsine roots of shares',
    reason: 'More stable if categories are rare or absent in many samples.',
  },
] as const;

export const compositionDefaults: CompositionForm = {
  a: '',
  b: '',
  by: '',
  transform: 'logit',
  unassigned: 'groups',
  samples: '',
  covariates: '[]',
  numericCovariates: '[]',
  pairing: 'auto',
  minSampleCells: sampleNumber.standard,
  adjustedPValue: limitNumber.standard,
};

export function transformOf({ transform }: Pick<CompositionForm, 'transform'>): (typeof transforms)[number] {
  return transforms.find(({ value }) => value === transform) ?? transforms[0];
}

export function compositionRequestOf(form: CompositionForm): CompositionRequest {
  const [a, b] = [readChosenSet(form.a), readChosenSet(form.b)];
  return {
    a: a ?? { name: '', filter: { subset_group_name: 'A' } },
    ...(b && { b }),
    ...(form.by !== '' && { by: form.by }),
    ...unassignedOf(form),
    transform: transformOf(form).value,
    ...(form.samples !== '' && { samples: form.samples }),
    covariates: covariatesOf(form),
    ...numericCovariatesOf(form),
    pairing: pairingOf(form),
    min_sample_cells: Math.trunc(numberOrZero(form.minSampleCells)),
    pvals_adj: numberOrZero(form.adjustedPValue),
  };
}

export function isComplete(form: CompositionForm, dataset: Pick<DatasetAnalysis, 'samples'>): boolean {
  if (readChosenSet(form.a) === undefined || samplesOf(form, dataset) === undefined) return false;
  return areValid([sampleNumber, limitNumber], form);
}
