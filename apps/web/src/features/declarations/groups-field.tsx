import type { DatasetAnalysis } from '@cellfolio/contract';
import { isUnassigned, maxGroups, maxMarkerGroups } from '@cellfolio/contract';
import { CheckList, CheckOption } from '@/components/check-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { ChoiceField } from '@/features/analyses/index.ts';
import { BinsField, quartiles } from '@/features/map/index.ts';
import { nameList } from '@/lib/format.ts';
import type { ControlProps } from './controls.tsx';
import {
  binsProblem,
  chosenBins,
  columnOf,
  groupNames,
  readSplit,
  useGroupColumns,
  useOwnGroups,
} from './group-columns.ts';

interface GroupByFieldProps {
  analysis: DatasetAnalysis;
  groupBy: string;
  /** Maximum number of groups. */
  max?: number;
  numbers?: boolean;
  onChange: (groupBy: string, isNumeric: boolean) => void;
}

export function GroupByField({
  analysis,
  groupBy,
  max = maxGroups,
  numbers = false,
  onChange,
}: GroupByFieldProps) {
  const choices = useGroupColumns(analysis, { max, numbers });
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

interface GroupsForm {
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

interface SomeGroupsFieldProps {
  analysis: DatasetAnalysis;
  form: GroupsForm;
  onChange: (change: Partial<GroupsForm>) => void;
}

/** A column of groups, and all or some of them. */
export function SomeGroupsField({ analysis, form, onChange }: SomeGroupsFieldProps) {
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

interface UnassignedFieldProps {
  analysis: DatasetAnalysis;
  groupBy: string;
  /** `left-out`, or anything else for groups like the others. */
  unassigned: string;
  onChange: (change: { unassigned: string }) => void;
}

/** Leaves out the groups of a column that are of cells without a group, such as `Unknown`; nothing where it has none. */
export function UnassignedField({ analysis, groupBy, unassigned, onChange }: UnassignedFieldProps) {
  const own = useOwnGroups(analysis);
  const named = groupNames(analysis, groupBy);
  const names =
    named.length > 0 ? named : (own.find(({ value }) => columnOf(value) === columnOf(groupBy))?.names ?? []);
  const without = names.filter(isUnassigned);
  if (without.length === 0) return null;
  return (
    <CheckOption
      checked={unassigned === 'left-out'}
      onChange={(leaveOut) => onChange({ unassigned: leaveOut ? 'left-out' : 'groups' })}
    >
      {`Leave out ${nameList(without, 5)}: cells without a group`}
    </CheckOption>
  );
}

const asUsual = JSON.stringify(quartiles);

/** A column of groups, or of numbers with their bins. */
export function BinnedGroupsField({
  analysis,
  field,
  label,
  name,
  text,
  texts,
  sent,
  onChange,
}: ControlProps) {
  const [binsField = ''] = field.also ?? [];
  const emptied = Object.fromEntries((field.empties ?? []).map((other) => [other, '']));
  return (
    <>
      <GroupByField
        analysis={analysis}
        groupBy={text || String(sent.get(name) ?? '')}
        max={maxMarkerGroups(analysis.gene_count)}
        numbers
        onChange={(column, isNumeric) =>
          onChange({ ...emptied, [name]: column, [binsField]: isNumeric ? asUsual : '' })
        }
      />
      <BinsChoice
        of={label}
        text={texts.get(binsField) ?? ''}
        onChange={(bins) => onChange({ [binsField]: bins })}
      />
    </>
  );
}

function BinsChoice({ of, text, onChange }: { of: string; text: string; onChange: (bins: string) => void }) {
  if (text === '') return null;
  const problem = binsProblem(text);
  return (
    <>
      <BinsField
        of={of}
        bins={chosenBins(text)}
        onChange={(next) => onChange(JSON.stringify(next))}
        problem={problem}
      />
      {problem !== undefined && <p className="text-danger text-xs">{problem}</p>}
    </>
  );
}

const maxParts = 60;
/** Placeholder value, since a list choice cannot be empty. */
const notSplit = 'not split';

/** A second column of groups or numbers, within which those of the first are compared. */
export function SplitField({ analysis, field, label, of, sent, text, change }: ControlProps) {
  const columns = useGroupColumns(analysis, { max: maxParts, numbers: true });
  const groupBy = of || String(sent.get(field.of ?? '') ?? '');
  const choices = columns.filter(({ value }) => value !== groupBy);
  const split = readSplit(text);
  const chosen = choices.find(({ value }) => value === split?.column);
  const changeTo = (column: string, bins: string) =>
    change(column === notSplit ? '' : JSON.stringify({ column, bins }));
  return (
    <>
      <ChoiceField
        label={label}
        choices={[{ value: notSplit, label: field.empty ?? '' }, ...choices]}
        value={chosen?.value ?? notSplit}
        onChange={(column) =>
          changeTo(column, choices.find(({ value }) => value === column)?.isNumeric ? asUsual : '')
        }
        {...(chosen && { about: field.hint })}
      />
      {split && <BinsChoice of={label} text={split.bins} onChange={(bins) => changeTo(split.column, bins)} />}
    </>
  );
}
