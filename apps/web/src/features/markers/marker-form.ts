import type { DatasetAnalysis, MarkerAnalysisRequest } from '@cellfolio/contract';
import { columnTitle, markerAnalysisRequest, partTitles } from '@cellfolio/contract';
import { numberOrZero } from '@/features/analyses/index.ts';

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

const { n_genes, pvals_adj, logfoldchanges, min_cells } = markerAnalysisRequest.shape;

/** The numbers of the form, as their schemas know them. */
export const markerNumbers = [
  { field: 'numberOfGenes', parameter: 'n_genes', step: 1, ...numberParameter(n_genes) },
  { field: 'adjustedPValue', parameter: 'pvals_adj', step: 0.01, ...numberParameter(pvals_adj) },
  { field: 'logfoldChange', parameter: 'logfoldchanges', step: 0.05, ...numberParameter(logfoldchanges) },
  { field: 'fewestCells', parameter: 'min_cells', step: 1, ...numberParameter(min_cells) },
] as const;

interface NumberSchema {
  readonly def: { readonly defaultValue: unknown };
  unwrap(): { readonly minValue: number | null; readonly maxValue: number | null };
  meta(): { readonly title?: string | undefined } | undefined;
}

/** Label, default and limits of a parameter; its schema has all of them. */
function numberParameter(schema: NumberSchema) {
  const { minValue, maxValue } = schema.unwrap();
  return {
    label: schema.meta()?.title ?? '',
    standard: String(schema.def.defaultValue),
    min: minValue ?? -Infinity,
    max: maxValue ?? Infinity,
  };
}

export const markerDefaults: MarkerForm = {
  groupBy: '',
  ...(Object.fromEntries(markerNumbers.map(({ field, standard }) => [field, standard])) as Record<
    (typeof markerNumbers)[number]['field'],
    string
  >),
  unlabelled: 'reference',
};

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
  const asked = markerRequest(form);
  const refused = markerNumbers.filter(({ parameter, min, max }) => {
    const value = asked[parameter] ?? 0;
    return value < min || value > max;
  });
  return Object.fromEntries(refused.map(({ field, min, max }) => [field, limitsText(min, max)]));
}

function limitsText(...limits: readonly [number, number]): string {
  const [min, max] = limits.map((limit) => limit.toLocaleString('en-US').replace('-', '−'));
  return `From ${min} to ${max}.`;
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
