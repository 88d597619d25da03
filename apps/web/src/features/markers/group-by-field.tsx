import type { DatasetAnalysis } from '@cellfolio/contract';
import { ChoiceField } from '@/features/analyses/index.ts';
import { useGroupColumns } from './use-group-columns.ts';

/** Groups that the server compares at most, as many as a column may form. */
const maxGroups = 500;

interface GroupByFieldProps {
  analysis: DatasetAnalysis;
  groupBy: string;
  /** Whether columns of numbers can be chosen, which have to be cut. */
  numbers?: boolean;
  onChange: (groupBy: string, isNumeric: boolean) => void;
}

/** A column of groups of the dataset, or an annotation of one's own, with the number of its groups. */
export function GroupByField({ analysis, groupBy, numbers = false, onChange }: GroupByFieldProps) {
  const choices = useGroupColumns(analysis, { most: maxGroups, numbers });
  return (
    <ChoiceField
      label="Group By"
      choices={choices}
      // One that is remembered from before may be gone from the dataset.
      value={choices.some(({ value }) => value === groupBy) ? groupBy : ''}
      onChange={(chosen) =>
        onChange(chosen, choices.find(({ value }) => value === chosen)?.isNumeric === true)
      }
      placeholder="Choose a column"
      {...(choices.length === 0 && { about: 'This dataset has no column of groups to compare.' })}
    />
  );
}
