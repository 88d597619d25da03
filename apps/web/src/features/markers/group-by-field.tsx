import type { DatasetAnalysis } from '@cellfolio/contract';
import { useMemo } from 'react';
import { ChoiceField } from '@/features/analyses/index.ts';
import { useAnnotations } from '@/features/annotations/index.ts';
import { formatCount } from '@/lib/format.ts';
import { groupChoices } from './group-choices.ts';
import { ownColumn } from './own-column.ts';

interface GroupByFieldProps {
  analysis: DatasetAnalysis;
  groupBy: string;
  onChange: (groupBy: string) => void;
}

/** A column of groups of the dataset, or an annotation of one's own, with the number of its groups. */
export function GroupByField({ analysis, groupBy, onChange }: GroupByFieldProps) {
  const own = useOwnGroups(analysis);
  const choices = useMemo(
    () => [
      ...groupChoices(analysis),
      ...own.map(({ value, label, names }) => ({ value, label, groups: names.length })),
    ],
    [analysis, own],
  );
  return (
    <ChoiceField
      label="Group By"
      choices={choices.map(({ value, label, groups }) => ({
        value,
        label: `${label} (${formatCount(groups)})`,
      }))}
      // One that is remembered from before may be gone from the dataset.
      value={choices.some(({ value }) => value === groupBy) ? groupBy : ''}
      onChange={onChange}
      placeholder="Choose a column"
      {...(choices.length === 0 && { about: 'This dataset has no column of groups to compare.' })}
    />
  );
}

/** An annotation among the columns of a form, with its groups. */
interface OwnGroups {
  value: string;
  label: string;
  names: readonly string[];
}

/** Annotations of one's own that have groups to compare. */
export function useOwnGroups({ dataset_filename: filename, version }: DatasetAnalysis): readonly OwnGroups[] {
  const annotations = useAnnotations(filename, version);
  return useMemo(
    () =>
      annotations.flatMap(({ name, groups }) =>
        groups.length < 2
          ? []
          : [{ value: ownColumn(name), label: name, names: groups.map((group) => group.name) }],
      ),
    [annotations],
  );
}
