import type { CellModelRequest, DatasetAnalysis } from '@cellfolio/contract';
import { cellModelRequest } from '@cellfolio/contract';
import { areValid, numberParameter, shareOf, standardsOf } from '@/features/analyses/index.ts';
import { columnOf, isGroupColumn } from '@/features/markers/index.ts';

export interface ModelForm {
  /** File name of a model; empty for none. */
  model: string;
  groupBy: string;
  /** Percentages. */
  minProbability: string;
  minShare: string;
  minMargin: string;
}

const { min_probability, min_share, min_margin } = cellModelRequest.shape;

export const modelNumbers = [
  {
    field: 'minProbability',
    step: 1,
    ...numberParameter(min_probability, 100),
    label: 'Min. Probability (%)',
  },
  { field: 'minShare', step: 1, ...numberParameter(min_share, 100), label: 'Min. Share of Cells (%)' },
  { field: 'minMargin', step: 1, ...numberParameter(min_margin, 100), label: 'Min. Margin (%)' },
] as const;

export const modelDefaults: ModelForm = { model: '', groupBy: '', ...standardsOf(modelNumbers) };

export function modelRequestOf(form: ModelForm): CellModelRequest {
  return {
    model: form.model,
    groupby: columnOf(form.groupBy),
    min_probability: shareOf(form.minProbability),
    min_share: shareOf(form.minShare),
    min_margin: shareOf(form.minMargin),
  };
}

export function isComplete(form: ModelForm, dataset: DatasetAnalysis): boolean {
  return form.model !== '' && isGroupColumn(dataset, form.groupBy) && areValid(modelNumbers, form);
}
