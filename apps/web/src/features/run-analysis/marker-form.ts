import type { DatasetAnalysis, MarkerAnalysisRequest } from '@cellfolio/contract';
import { columnTitle, partTitles } from '@cellfolio/contract';

/** The fields as they are typed. */
export interface MarkerForm {
  groupBy: string;
  numberOfGenes: string;
  adjustedPValue: string;
  logfoldChange: string;
  /** Fewest cells of a group that is compared. */
  fewestCells: string;
  /** `left-out`, or anything else for the reference of every group. */
  unlabelled: string;
}

export const markerDefaults: MarkerForm = {
  groupBy: '',
  numberOfGenes: '10',
  adjustedPValue: '0.05',
  logfoldChange: '0.25',
  fewestCells: '3',
  unlabelled: 'reference',
};

/** What is typed as a number; 0 where it is none. */
export function numberOrZero(text: string): number {
  const value = Number(text.trim().replace(',', '.'));
  return Number.isFinite(value) ? value : 0;
}

export function markerRequest(form: MarkerForm): MarkerAnalysisRequest {
  return {
    groupby: form.groupBy,
    n_genes: Math.trunc(numberOrZero(form.numberOfGenes)),
    pvals_adj: numberOrZero(form.adjustedPValue),
    logfoldchanges: numberOrZero(form.logfoldChange),
    min_cells: Math.trunc(numberOrZero(form.fewestCells)),
    unlabelled: form.unlabelled === 'left-out' ? 'left-out' : 'reference',
  };
}

/** What the server would refuse, said beside its field. */
export function markerProblems(form: MarkerForm): Partial<Record<keyof MarkerForm, string>> {
  const { n_genes = 0, pvals_adj = 0, logfoldchanges = 0, min_cells = 0 } = markerRequest(form);
  return {
    ...((n_genes < 1 || n_genes > 1000) && { numberOfGenes: 'From 1 to 1,000.' }),
    ...((pvals_adj < 0 || pvals_adj > 1) && { adjustedPValue: 'From 0 to 1.' }),
    ...((logfoldchanges < -100 || logfoldchanges > 100) && { logfoldChange: 'From −100 to 100.' }),
    ...((min_cells < 2 || min_cells > 10_000) && { fewestCells: 'From 2 to 10,000.' }),
  };
}

export interface GroupChoice {
  /** What the server knows the column by. */
  value: string;
  label: string;
  /** How many groups there are. */
  groups: number;
}

/** The columns that cells can be grouped by: those that play a part first, then the metadata. */
export function groupChoices(
  analysis: Pick<DatasetAnalysis, 'cell_types' | 'leiden_clusters' | 'patient_metadata'>,
): GroupChoice[] {
  const parts: [string, number][] = [
    ['cell_type', analysis.cell_types.length],
    ['leiden', analysis.leiden_clusters.length],
  ];
  const taken = new Set(parts.map(([value]) => value));
  const metadata = Object.entries(analysis.patient_metadata)
    .filter(([field]) => !taken.has(field))
    .map(([field, values]): [string, number] => [field, values.length]);
  return [...parts, ...metadata]
    .filter(([, groups]) => groups > 0)
    .map(([value, groups]) => ({ value, label: groupByTitle(value), groups }));
}

/** What a column to group by is called, by the name that the server knows it by. */
export function groupByTitle(value: string): string {
  if (value === 'cell_type') return partTitles.cellType;
  return value === 'leiden' ? partTitles.cluster : columnTitle(value);
}
