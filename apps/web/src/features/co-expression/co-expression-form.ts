import type { CoExpressionRequest } from '@cellfolio/contract';
import { coExpressionRequest } from '@cellfolio/contract';
import { areValid, numberOrZero, numberParameter, standardsOf } from '@/features/analyses/index.ts';
import { graphField } from '@/features/trajectory/index.ts';

export interface CoExpressionForm {
  /** One of `modelChoices`. */
  model: string;
  /** `file` or `computed`. */
  graph: string;
  neighbors: string;
  maxGenes: string;
  moduleGenes: string;
  fdr: string;
  minCells: string;
}

const { n_neighbors, max_genes, min_module_genes, fdr, min_cells } = coExpressionRequest.shape;

export const coExpressionNumbers = [
  { field: 'moduleGenes', step: 1, ...numberParameter(min_module_genes) },
  { field: 'maxGenes', step: 10, ...numberParameter(max_genes) },
  { field: 'neighbors', step: 1, ...numberParameter(n_neighbors) },
  { field: 'minCells', step: 1, ...numberParameter(min_cells) },
  { field: 'fdr', step: 0.01, ...numberParameter(fdr) },
] as const;

export const modelChoices = [
  { value: 'auto', label: 'Raw counts, if available' },
  { value: 'danb', label: 'Raw counts, negative binomial' },
  { value: 'normal', label: 'Expression values, normal' },
] as const;

export const coExpressionDefaults: CoExpressionForm = {
  model: 'auto',
  graph: 'file',
  ...standardsOf(coExpressionNumbers),
};

export function coExpressionRequestOf(form: CoExpressionForm): CoExpressionRequest {
  const whole = (text: string) => Math.trunc(numberOrZero(text));
  return {
    ...(form.model === 'danb' || form.model === 'normal' ? { model: form.model } : {}),
    ...graphField(form),
    n_neighbors: whole(form.neighbors),
    max_genes: whole(form.maxGenes),
    min_module_genes: whole(form.moduleGenes),
    fdr: numberOrZero(form.fdr),
    min_cells: whole(form.minCells),
  };
}

export function isComplete(form: CoExpressionForm): boolean {
  return areValid(coExpressionNumbers, form);
}
