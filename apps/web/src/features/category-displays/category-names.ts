import { type CategoryDisplay, type DatasetAnalysis, clusterField } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useQueryData } from '@/lib/query-client.ts';
import { useServices } from '@/lib/services.ts';
import { displaysQuery } from './category-displays.ts';

/** Labels of categories on the page, by the dataset's names. Calls and files keep the latter. */
export interface CategoryNames {
  /** `column` of obs; undefined returns the dataset's name. */
  ofColumn: (column: string | undefined, name: string) => string;
  cellType: (name: string) => string;
  cluster: (name: string) => string;
  /** `field` is the displayed name of the metadata field. */
  ofField: (field: string, name: string) => string;
}

export const datasetNames: CategoryNames = categoryNames([], undefined);

export function useCategoryNames(filename: string | undefined): CategoryNames {
  const services = useServices();
  // As it was opened: it says which columns its lists are of.
  const opened = useQueryData<{ analysis: DatasetAnalysis | null }>(['dataset-analysis', filename]);
  // Images may be of datasets that are not open, or no longer there.
  const isEnabled = filename !== undefined && opened !== undefined;
  const { data } = useQuery({ ...displaysQuery(services, filename ?? ''), enabled: isEnabled });
  return useMemo(
    () => (data ? categoryNames(data.displays, opened?.analysis?.columns) : datasetNames),
    [data, opened],
  );
}

export function categoryNames(
  displays: readonly CategoryDisplay[],
  columns: DatasetAnalysis['columns'] | undefined,
): CategoryNames {
  const labelsByColumn = new Map(
    displays.map(({ column, categories }) => [
      column,
      new Map(categories.map(({ name, label }) => [name, label])),
    ]),
  );
  const columnOf = new Map(columns?.patient_metadata.map(({ field, column }) => [field, column]));
  const ofColumn = (column: string | undefined, name: string) =>
    (column === undefined ? undefined : labelsByColumn.get(column)?.get(name)) ?? name;
  const cluster = (name: string) => ofColumn(columns?.leiden_clusters, name);
  return {
    ofColumn,
    cellType: (name) => ofColumn(columns?.cell_types, name),
    cluster,
    // Without cell types, clusters are a field like any other.
    ofField: (field, name) =>
      field === clusterField && !columnOf.has(field) ? cluster(name) : ofColumn(columnOf.get(field), name),
  };
}

export function namesText(shown: string, name: string): string {
  return shown === name ? shown : `${shown} (in the dataset: ${name === '' ? 'no name' : name})`;
}
