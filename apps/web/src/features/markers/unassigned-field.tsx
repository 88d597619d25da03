import type { DatasetAnalysis } from '@cellfolio/contract';
import { isUnassigned } from '@cellfolio/contract';
import { CheckOption } from '@/components/check-list.tsx';
import { nameList } from '@/lib/format.ts';
import { groupNames } from './groups-field.tsx';
import { columnOf } from './own-column.ts';
import { useOwnGroups } from './use-group-columns.ts';

/** The choice where it is not the server's default. */
export function unassignedOf({ unassigned }: { unassigned: string }): { unassigned?: 'left-out' } {
  return unassigned === 'left-out' ? { unassigned } : {};
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
