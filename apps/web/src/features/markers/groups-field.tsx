import type { DatasetAnalysis } from '@cellfolio/contract';
import { isUnassigned } from '@cellfolio/contract';
import { CheckList, CheckOption } from '@/components/check-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { nameList } from '@/lib/format.ts';
import { GroupByField } from './group-by-field.tsx';
import { columnOf, isGroupColumn } from './own-column.ts';
import { useOwnGroups } from './use-group-columns.ts';

export interface GroupsForm {
  groupBy: string;
  /** Chosen groups as a JSON list; empty for all. */
  groups: string;
}

export function chosenGroups({ groups }: Pick<GroupsForm, 'groups'>): string[] | undefined {
  if (groups === '') return undefined;
  try {
    const read: unknown = JSON.parse(groups);
    return Array.isArray(read) && read.every((name) => typeof name === 'string') ? read : undefined;
  } catch {
    return undefined;
  }
}

export function groupsRequest(form: GroupsForm): { groupby: string; groups?: string[] } {
  const groups = chosenGroups(form);
  return { groupby: columnOf(form.groupBy), ...(groups && { groups }) };
}

/** Whether a column is chosen, with all or at least two of its groups. */
export function hasGroups(form: GroupsForm, dataset: DatasetAnalysis): boolean {
  return isGroupColumn(dataset, form.groupBy) && (chosenGroups(form)?.length ?? 2) >= 2;
}

/** The groups of a column, by its part or its name in obs, as the server names them; empty for an unknown column. */
export function groupNames(dataset: DatasetAnalysis, groupBy: string): readonly string[] {
  const { cell_types: type, leiden_clusters: cluster, patient_metadata: fields } = dataset.columns;
  if (groupBy === 'cell_type' || groupBy === type) return dataset.cell_types;
  if (groupBy === 'leiden' || groupBy === cluster) return dataset.leiden_clusters;
  const field = fields.find(({ column }) => column === groupBy)?.field ?? groupBy;
  return new Map(Object.entries(dataset.patient_metadata)).get(field) ?? [];
}

interface GroupsFieldProps {
  analysis: DatasetAnalysis;
  form: GroupsForm;
  onChange: (change: Partial<GroupsForm>) => void;
}

export function GroupsField({ analysis, form, onChange }: GroupsFieldProps) {
  const own = useOwnGroups(analysis);
  const names = own.find(({ value }) => value === form.groupBy)?.names ?? groupNames(analysis, form.groupBy);
  const chosen = chosenGroups(form);
  const without = (chosen ?? names).filter(isUnassigned);
  return (
    <div className="flex flex-col gap-1.5">
      <GroupByField
        analysis={analysis}
        groupBy={form.groupBy}
        onChange={(groupBy) => onChange({ groupBy, groups: '' })}
      />
      {names.length > 2 && (
        <CheckOption
          checked={chosen !== undefined}
          onChange={(some) => onChange({ groups: some ? JSON.stringify(names) : '' })}
        >
          Only some of the groups
        </CheckOption>
      )}
      {without.length > 0 && (
        <Button
          variant="link"
          size="inline"
          className="self-start text-xs"
          onClick={() =>
            onChange({ groups: JSON.stringify((chosen ?? names).filter((name) => !isUnassigned(name))) })
          }
        >
          {`Leave out ${nameList(without, 5)}: cells without a group`}
        </Button>
      )}
      {chosen !== undefined && (
        <CheckList
          legend="Groups"
          items={names.map((name) => ({ value: name, label: name }))}
          checked={chosen}
          onChange={(groups) => onChange({ groups: JSON.stringify(groups) })}
        >
          {chosen.length < 2 && <p className="text-danger text-xs">Choose at least two groups.</p>}
        </CheckList>
      )}
    </div>
  );
}
