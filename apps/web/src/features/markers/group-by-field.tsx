import type { DatasetAnalysis } from '@cellfolio/contract';
import { ChoiceField } from '@/features/analyses/index.ts';
import { useGroupColumns } from './use-group-columns.ts';

const maxGroups = 500;

interface GroupByFieldProps {
  analysis: DatasetAnalysis;
  groupBy: string;
  numbers?: boolean;
  onChange: (groupBy: string, isNumeric: boolean) => void;
}

export function GroupByField({ analysis, groupBy, numbers = false, onChange }: GroupByFieldProps) {
  const choices = useGroupColumns(analysis, { max: maxGroups, numbers });
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
