import type { DatasetAnalysis } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAnnotations } from '@/features/annotations/index.ts';
import { columnListQuery } from '@/features/map/index.ts';
import { formatCount } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { groupChoices } from './group-choices.ts';
import { obsColumn, ownColumn } from './own-column.ts';

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
