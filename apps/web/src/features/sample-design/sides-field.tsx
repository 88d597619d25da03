import { useQuery } from '@tanstack/react-query';
import {
  CellSetField,
  readChosenSet,
  type ChosenSet,
  overlapQuery,
  useSetsAtHand,
} from '@/features/cell-sets/index.ts';
import { plural, pluralWord } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';

/** Sets of cells as JSON; `b` is empty for all other active cells. */
interface SidesForm {
  a: string;
  b: string;
}

interface SidesFieldProps {
  dataset: { filename: string; version: string };
  form: SidesForm;
  onChange: (change: Partial<SidesForm>) => void;
}

export function SidesField({ dataset, form, onChange }: SidesFieldProps) {
  const [a, b] = [readChosenSet(form.a), readChosenSet(form.b)];
  return (
    <>
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
