import { isUnassigned } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from '@/components/ui/button.tsx';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import {
  CellSetField,
  groupsSet,
  readChosenSet,
  type ChosenSet,
  overlapQuery,
  useSetsAtHand,
} from '@/features/cell-sets/index.ts';
import { columnListQuery } from '@/features/map/index.ts';
import { isControl } from '@/lib/condition-names.ts';
import { plural, pluralWord } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';

/** Sets of cells as JSON; `b` is empty for all other active cells. */
interface SidesForm {
  a: string;
  b: string;
}

interface SidesFieldProps {
  dataset: { filename: string; version: string };
  conditions: Conditions;
  form: SidesForm;
  onChange: (change: Partial<SidesForm>) => void;
}

/** Columns of obs with their values. */
export type Conditions = readonly { readonly column: string; readonly values: readonly string[] }[];

const maxOffered = 6;
/** The value that others are compared with comes last. */
function sidesOf([first, second]: readonly string[]): readonly [a: string, b: string] {
  return isControl(first!) && !isControl(second!) ? [second!, first!] : [first!, second!];
}

/** Both sides in one click: the two values of a column, such as treated and untreated. */
function ConditionChoices({ dataset, conditions, form, onChange }: SidesFieldProps) {
  const { api } = useServices();
  const names = useCategoryNames(dataset.filename);
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const offered = conditions.flatMap(({ column: name, values }) => {
    const column = columns.find((one) => one.name === name);
    const assigned = values.filter((value) => !isUnassigned(value));
    if (column === undefined || column.role !== undefined || assigned.length !== 2) return [];
    const [a, b] = sidesOf(assigned);
    const setOf = (value: string) => JSON.stringify(groupsSet(column, [value], names));
    const label = `${column.title}: ${names.ofColumn(name, a)} against ${names.ofColumn(name, b)}`;
    return [{ name, label, a: setOf(a), b: setOf(b) }];
  });
  if (offered.length === 0) return null;
  return (
    <div role="group" aria-label="Conditions" className="flex flex-wrap gap-1">
      {offered.slice(0, maxOffered).map(({ name, label, a, b }) => {
        const isChosen = form.a === a && form.b === b;
        return (
          <Button
            key={name}
            variant="secondary"
            size="xs"
            aria-pressed={isChosen}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent-soft-foreground h-auto min-h-6 max-w-full py-0.5 text-left wrap-anywhere whitespace-normal"
            onClick={() => onChange(isChosen ? { a: '', b: '' } : { a, b })}
          >
            {label}
          </Button>
        );
      })}
    </div>
  );
}

export function SidesField({ dataset, conditions, form, onChange }: SidesFieldProps) {
  const [a, b] = [readChosenSet(form.a), readChosenSet(form.b)];
  return (
    <>
      <ConditionChoices {...{ dataset, conditions, form, onChange }} />
      <CellSetField
        label="A: the cells of interest"
        dataset={dataset}
        value={a}
        onChange={(set) => onChange({ a: set ? JSON.stringify(set) : '' })}
      />
      <CellSetField
        label="B: compared with"
        dataset={dataset}
        value={b}
        none="All other active cells"
        onChange={(set) => onChange({ b: set ? JSON.stringify(set) : '' })}
      />
      {a !== undefined && <SideCounts dataset={dataset} a={a} b={b} />}
    </>
  );
}

interface SideCountsProps {
  dataset: { filename: string; version: string };
  a: ChosenSet;
  b: ChosenSet | undefined;
}

function SideCounts({ dataset, a, b }: SideCountsProps) {
  const { api } = useServices();
  const { active } = useSetsAtHand();
  const sets = [{ name: 'active', filter: active, words: '' }, a, ...(b ? [b] : [])];
  const overlap = useQuery(overlapQuery(api, `${dataset.filename}@${dataset.version}`, sets, undefined));
  // A set that cannot be had is said by the run, with the reason.
  if (overlap.data === undefined) return null;
  const count = (isIn: (inside: readonly number[]) => boolean) =>
    overlap.data.combinations.reduce(
      (sum, { inside, count: cells }) => sum + (inside.includes(0) && isIn(inside) ? cells : 0),
      0,
    );
  const inA = count((inside) => inside.includes(1));
  const inB = b ? count((inside) => inside.includes(2)) : count((inside) => !inside.includes(1));
  const shared = b ? count((inside) => inside.includes(1) && inside.includes(2)) : 0;
  return (
    <p role="status" className="text-xs tabular-nums">
      Of the active cells: {plural(inA, 'cell')} in A, {plural(inB, 'cell')} in B.
      {(inA === 0 || inB === 0) && (
        <span className="text-warning block">
          {inA === 0 ? 'A' : 'B'} has no active cell: choose another set here, or other cells under Cell
          subset.
        </span>
      )}
      {shared > 0 && (
        <span className="text-warning block">
          {plural(shared, 'cell')} {pluralWord(shared, 'is', 'are')} in both: choose sets that share no cell.
        </span>
      )}
    </p>
  );
}
