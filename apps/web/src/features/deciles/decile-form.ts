import type { DatasetAnalysis, DecileRequest } from '@cellfolio/contract';
import { decileRequest, defaultMinimumGenes } from '@cellfolio/contract';
import { areValid, numberOrZero, numberParameter, standardsOf } from '@/features/analyses/index.ts';
import { comparisonMethods, methodOf, sumsProblem } from '@/features/comparisons/index.ts';

export interface DecileForm {
  /** Ranking variable: one of `rankings`. */
  by: string;
  gene: string;
  /** A JSON list of genes. */
  genes: string;
  scoreName: string;
  state: string;
  /** A numeric column of obs. */
  column: string;
  share: string;
  /** Empty for the recommended one. */
  method: string;
  /** A column of obs; empty for the one recorded with the dataset. */
  samples: string;
  minSampleCells: string;
  adjustedPValue: string;
  foldChange: string;
}

export const rankings = [
  { value: 'gene', label: 'A gene' },
  { value: 'signature', label: 'The score of a signature' },
  { value: 'cell-state', label: 'The score of a cell state' },
  { value: 'column', label: 'A column of numbers' },
] as const;

type RankedBy = (typeof rankings)[number]['value'];

/** Ends are compared by pairs of samples, or by cells; the t-test is for groups of unrelated cells. */
export const decileMethods = comparisonMethods.filter(
  ({ value }) => value === 'pseudobulk' || value === 'wilcoxon',
);

const { share, min_sample_cells, pvals_adj, logfoldchanges } = decileRequest.shape;

export const decileNumbers = [
  { field: 'share', step: 1, ...numberParameter(share) },
  { field: 'minSampleCells', step: 1, ...numberParameter(min_sample_cells) },
  { field: 'adjustedPValue', step: 0.01, ...numberParameter(pvals_adj) },
  { field: 'foldChange', step: 0.25, ...numberParameter(logfoldchanges) },
] as const;

export const decileDefaults: DecileForm = {
  by: 'gene',
  gene: '',
  genes: '[]',
  scoreName: '',
  state: '',
  column: '',
  method: '',
  samples: '',
  ...standardsOf(decileNumbers),
};

export function rankedByOf({ by }: Pick<DecileForm, 'by'>): RankedBy {
  return rankings.find(({ value }) => value === by)?.value ?? 'gene';
}

export function signatureOf({ genes }: Pick<DecileForm, 'genes'>): string[] {
  try {
    const read: unknown = JSON.parse(genes);
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

type DatasetFacts = Pick<DatasetAnalysis, 'samples' | 'raw_counts'>;

export function decileRequestOf(form: DecileForm, dataset: DatasetFacts): DecileRequest {
  return {
    by: rankedBy(form),
    share: numberOrZero(form.share),
    method: methodOf(form, dataset) === 'pseudobulk' ? 'pseudobulk' : 'wilcoxon',
    ...(form.samples !== '' && { samples: form.samples }),
    min_sample_cells: Math.trunc(numberOrZero(form.minSampleCells)),
    pvals_adj: numberOrZero(form.adjustedPValue),
    logfoldchanges: numberOrZero(form.foldChange),
  };
}

function rankedBy(form: DecileForm): DecileRequest['by'] {
  const of = rankedByOf(form);
  switch (of) {
    case 'gene':
      return { of, gene: form.gene };
    case 'signature':
      return { of, score_name: form.scoreName.trim(), genes: signatureOf(form) };
    case 'cell-state':
      return { of, cell_state: form.state, minimum_genes: defaultMinimumGenes };
    case 'column':
      return { of, column: form.column };
  }
}

export function isComplete(form: DecileForm, dataset: DatasetFacts): boolean {
  const of = rankedByOf(form);
  const isRanked =
    of === 'gene'
      ? form.gene !== ''
      : of === 'signature'
        ? signatureOf(form).length > 0
        : of === 'cell-state'
          ? form.state !== ''
          : form.column !== '';
  if (!isRanked) return false;
  if (methodOf(form, dataset) === 'pseudobulk' && sumsProblem(form, dataset) !== undefined) return false;
  return areValid(decileNumbers, form);
}
