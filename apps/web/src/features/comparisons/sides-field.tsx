import { CellSetField, readChosenSet } from '@/features/cell-sets/index.ts';
import type { ComparisonForm } from './comparison-form.ts';
import { SideCounts } from './side-counts.tsx';

type SidesForm = Pick<ComparisonForm, 'a' | 'b'>;

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
