import type { DatasetAnalysis } from '@cellfolio/contract';
import { columnTitle, groupByTitle } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAnnotations } from '@/features/annotations/index.ts';
import {
  type ChosenBins,
  columnListQuery,
  type Grouping,
  quartiles,
  readBins,
  readChosenBins,
  valuesQuery,
} from '@/features/map/index.ts';
import { formatCount } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';

export function groupChoices(
  analysis: Pick<DatasetAnalysis, 'cell_types' | 'leiden_clusters' | 'patient_metadata' | 'columns'>,
) {
  const { cell_types: types, leiden_clusters: clusters } = analysis.columns;
  const parts: [string, number][] = [
    ['cell_type', analysis.cell_types.length],
    ['leiden', analysis.leiden_clusters.length],
  ];
  const usedFields = new Set(parts.map(([value]) => value));
  const metadata = Object.entries(analysis.patient_metadata)
    .filter(([field]) => !usedFields.has(field))
    .map(([field, values]): [string, number] => [field, values.length]);
  return [...parts, ...metadata]
    .filter(([, groups]) => groups > 0)
    .map(([value, groups]) => ({
      value,
      label: partLabel(
        groupByTitle(value),
        value === 'leiden' ? clusters : value === 'cell_type' ? types : null,
      ),
      groups,
    }));
}

/** A role with the column that has it, as maps are titled: `Cluster, Leiden`. */
function partLabel(part: string, column: string | null | undefined): string {
  const title = columnTitle(column ?? part);
  return title.toLowerCase() === part.toLowerCase() ? part : `${part}, ${title}`;
}

/** Prefix that distinguishes an annotation from a dataset column of the same name. */
const ownPrefix = 'own annotation ';
/** Prefix that distinguishes a column of obs from a metadata field of the same name. */
const obsPrefix = 'column of obs ';

export function ownColumn(name: string): string {
  return `${ownPrefix}${name}`;
}

export function obsColumn(name: string): string {
  return `${obsPrefix}${name}`;
}

export function columnOf(groupBy: string): string {
  const prefix = [ownPrefix, obsPrefix].find((one) => groupBy.startsWith(one));
  return prefix === undefined ? groupBy : groupBy.slice(prefix.length);
}

export function isGroupColumn(dataset: DatasetAnalysis, groupBy: string): boolean {
  return columnOf(groupBy) !== groupBy || groupChoices(dataset).some(({ value }) => value === groupBy);
}

interface GroupColumn {
  value: string;
  /** Title and content, such as `Cell type (12)`. */
  label: string;
  isNumeric: boolean;
  disabled: boolean;
}

const maxFurther = 200;

/**
 * Group columns of a dataset: roles and metadata, the user's annotations, then all other columns of obs. `max`:
 * maximum number of categories; a column with more says so. `numbers`: whether to include numeric columns.
 */
export function useGroupColumns(
  analysis: DatasetAnalysis,
  { max, numbers }: { max: number; numbers: boolean },
): readonly GroupColumn[] {
  const { api } = useServices();
  const { dataset_filename: filename, version, columns } = analysis;
  const own = useOwnGroups(analysis);
  const obs = useQuery(columnListQuery(api, { filename, version })).data?.obs;
  return useMemo(() => {
    const named = [
      ...groupChoices(analysis),
      ...own.map(({ value, label, names }) => ({ value, label, groups: names.length })),
    ].map(({ value, label, groups }) => categories(value, label, groups, max));
    const usedColumns = new Set([
      columns.cell_types,
      columns.leiden_clusters,
      ...columns.patient_metadata.map(({ column }) => column),
    ]);
    const further = (obs ?? []).flatMap(
      ({ name, title, kind, categories: count = 0, missing = 0, own: isOwn }) => {
        if (isOwn || usedColumns.has(name) || kind === 'none') return [];
        // A single group is compared with the cells that are in none.
        const compares = count > 1 || (count === 1 && missing > 0);
        if (kind === 'categories') return !compares ? [] : [categories(obsColumn(name), title, count, max)];
        return numbers
          ? [{ value: obsColumn(name), label: `${title} (numbers)`, isNumeric: true, disabled: false }]
          : [];
      },
    );
    return [...named, ...further.slice(0, maxFurther)];
  }, [analysis, columns, max, numbers, obs, own]);
}

function categories(value: string, title: string, count: number, limit: number): GroupColumn {
  const isWide = count > limit;
  const facts = isWide ? `${formatCount(count)}, more than ${formatCount(limit)}` : formatCount(count);
  return { value, label: `${title} (${facts})`, isNumeric: false, disabled: isWide };
}

interface AnnotationGroupNames {
  value: string;
  label: string;
  names: readonly string[];
}

export function useOwnGroups({
  dataset_filename: filename,
  version,
}: DatasetAnalysis): readonly AnnotationGroupNames[] {
  const annotations = useAnnotations(filename, version);
  return useMemo(() => ownGroups(annotations), [annotations]);
}

/** Includes annotations with a single group, which is compared with the unlabelled cells. */
export function ownGroups(annotations: ReturnType<typeof useAnnotations>): readonly AnnotationGroupNames[] {
  return annotations.flatMap(({ name, groups }) =>
    groups.length === 0
      ? []
      : [{ value: ownColumn(name), label: name, names: groups.map((group) => group.name) }],
  );
}

/** The groups of a column, by its part, its name in obs, or as a choice of `useGroupColumns`; empty for numbers. */
export function useGroupNames(analysis: DatasetAnalysis, groupBy: string): readonly string[] {
  const { api } = useServices();
  const { dataset_filename: filename, version } = analysis;
  const own = useOwnGroups(analysis).find(({ value }) => value === groupBy)?.names;
  const named = own ?? groupNames(analysis, groupBy);
  const source =
    named.length > 0 || groupBy === '' ? undefined : ({ from: 'obs', name: columnOf(groupBy) } as const);
  const values = useQuery(valuesQuery(api, { filename, version }, source, undefined)).data;
  if (source === undefined) return named;
  return values?.kind === 'categories' ? values.categories.filter((name) => name !== '') : [];
}

/** The groups of a column, by its part or its name in obs, as the server names them; empty for an unknown column. */
export function groupNames(dataset: DatasetAnalysis, groupBy: string): readonly string[] {
  const { cell_types: type, leiden_clusters: cluster, patient_metadata: fields } = dataset.columns;
  if (groupBy === 'cell_type' || groupBy === type) return dataset.cell_types;
  if (groupBy === 'leiden' || groupBy === cluster) return dataset.leiden_clusters;
  const field = fields.find(({ column }) => column === groupBy)?.field ?? groupBy;
  return new Map(Object.entries(dataset.patient_metadata)).get(field) ?? [];
}

type Bins = NonNullable<Grouping['bins']>;

/** The bins that a form has as JSON: as they are typed, or as in a request; quartiles for any other text. */
export function chosenBins(text: string): ChosenBins {
  const value = parsed(text);
  return readChosenBins(value) ?? typedBins(value) ?? quartiles;
}

function typedBins(value: unknown): ChosenBins | undefined {
  const { by, parts, edges } = (value ?? {}) as Partial<Record<'by' | 'parts' | 'edges', unknown>>;
  if (by === 'quantiles' && typeof parts === 'number') return { ...quartiles, by, parts: String(parts) };
  return by === 'edges' && Array.isArray(edges) ? { ...quartiles, by, edges: edges.join(', ') } : undefined;
}

export function binsProblem(text: string): string | undefined {
  const read = text === '' ? {} : readBins(chosenBins(text));
  return 'problem' in read ? read.problem : undefined;
}

/**
 * The bins of a request, explicit even for the default: the server cuts a numeric column only on request. Undefined for
 * categories; bins with a problem stay as they are typed, so that the request is refused and not another one sent.
 */
export function binsOf(text: string): Bins | ChosenBins | undefined {
  if (text === '') return undefined;
  const chosen = chosenBins(text);
  const read = readBins(chosen);
  return 'problem' in read ? chosen : (read.bins ?? { by: 'quantiles', parts: 4 });
}

/** A second column of a form, as one of the choices, and the text of its bins, which is empty for categories. */
export interface ChosenSplit {
  readonly column: string;
  readonly bins: string;
}

export function readSplit(text: string): ChosenSplit | undefined {
  const { column, bins } = (parsed(text) ?? {}) as Partial<Record<keyof ChosenSplit, unknown>>;
  if (typeof column !== 'string' || column === '') return undefined;
  return { column, bins: typeof bins === 'string' ? bins : bins === undefined ? '' : JSON.stringify(bins) };
}

/** `groupBy` is the first column, which does not split itself. */
export function splitOf(text: string, groupBy: string) {
  const split = readSplit(text);
  if (split === undefined || split.column === groupBy) return undefined;
  const bins = binsOf(split.bins);
  return { column: columnOf(split.column), ...(bins && { bins }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
