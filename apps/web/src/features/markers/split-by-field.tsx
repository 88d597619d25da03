import type { DatasetAnalysis } from '@cellfolio/contract';
import { ChoiceField } from '@/features/analyses/index.ts';
import { useGroupColumns } from './use-group-columns.ts';

const maxParts = 60;
/** Placeholder value, since a list choice cannot be empty. */
const notSplit = 'not split';

interface SplitByFieldProps {
  analysis: DatasetAnalysis;
  groupBy: string;
  splitBy: string;
  onChange: (splitBy: string, isNumeric: boolean) => void;
}

export function SplitByField({ analysis, groupBy, splitBy, onChange }: SplitByFieldProps) {
  const columns = useGroupColumns(analysis, { most: maxParts, numbers: true });
  const choices = columns.filter(({ value }) => value !== groupBy);
  const isSplit = choices.some(({ value }) => value === splitBy);
  return (
    <ChoiceField
      label="Split By"
      choices={[{ value: notSplit, label: 'Not split' }, ...choices]}
      value={isSplit ? splitBy : notSplit}
      onChange={(chosen) =>
        onChange(
          chosen === notSplit ? '' : chosen,
          choices.find(({ value }) => value === chosen)?.isNumeric === true,
        )
      }
      {...(isSplit && {
        about:
          'Each group is compared with the other cells of its category: T cell · treated with all other treated cells.',
      })}
    />
  );
}
