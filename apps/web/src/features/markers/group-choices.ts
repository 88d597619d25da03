import type { DatasetAnalysis } from '@cellfolio/contract';
import { columnTitle, groupByTitle } from '@cellfolio/contract';

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

/** The column whose groups are compared until another is chosen: cell types, else clusters, else the first field. */
export function suggestedGroupBy(dataset: DatasetAnalysis): string | undefined {
  return groupChoices(dataset).find(({ groups }) => groups > 1)?.value;
}

/** A role with the column that has it, as maps are titled: `Cluster, Leiden`. */
function partLabel(part: string, column: string | null | undefined): string {
  const title = columnTitle(column ?? part);
  return title.toLowerCase() === part.toLowerCase() ? part : `${part}, ${title}`;
}
