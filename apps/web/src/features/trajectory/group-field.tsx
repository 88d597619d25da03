import { useQuery } from '@tanstack/react-query';
import { ChoiceField } from '@/features/analyses/index.ts';
import { valuesQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';

interface GroupFieldProps {
  label: string;
  dataset: { filename: string; version: string };
  column: string;
  group: string;
  onChange: (group: string) => void;
}

export function GroupField({ label, dataset, column, group, onChange }: GroupFieldProps) {
  const { api } = useServices();
  const source = column === '' ? undefined : ({ from: 'obs', name: column } as const);
  const values = useQuery(valuesQuery(api, dataset, source, undefined)).data;
  const groups = values?.kind === 'categories' ? values.categories.filter((name) => name !== '') : [];
  return (
    <ChoiceField
      label={label}
      choices={groups.map((name) => ({ value: name, label: name }))}
      value={groups.includes(group) ? group : ''}
      onChange={onChange}
      placeholder={column === '' ? 'Choose a column first' : 'Choose a group'}
    />
  );
}
