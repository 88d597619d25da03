import { useId } from 'react';
import { Label } from '@/components/ui/form.tsx';
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group.tsx';
import type { GeneIndex } from '@/features/genes/index.ts';
import { GeneChips, GeneSearch } from '@/features/genes/index.ts';
import type { FilterConfig, GeneFilterType, PercentilesAmong } from './filter-config.ts';
import { PercentileInputs } from './percentile-inputs.tsx';

interface GeneFilterFieldsProps {
  index: GeneIndex;
  value: FilterConfig['geneFilter'];
  onChange: (value: FilterConfig['geneFilter']) => void;
}

const populations: readonly { value: PercentilesAmong; label: string }[] = [
  { value: 'all', label: 'All cells, zeros included' },
  { value: 'expressing', label: 'Expressing cells (above 0)' },
];

const modes: readonly { value: GeneFilterType; label: string }[] = [
  { value: 'positive', label: 'Positive: expressed' },
  { value: 'negative', label: 'Negative: not expressed' },
  { value: 'percentile', label: 'Percentile of expression' },
];

/** Cells by the expression of one gene. */
export function GeneFilterFields({ index, value, onChange }: GeneFilterFieldsProps) {
  const mode = value.filterType === '' ? 'percentile' : value.filterType;
  return (
    <div className="flex flex-col gap-2">
      <GeneSearch
        index={index}
        label="Filter by gene"
        hint="One gene; another takes its place."
        chosen={value.genes}
        onAdd={(genes) => onChange({ ...value, genes: genes.slice(-1) })}
        onRemoveLast={() => onChange({ ...value, genes: [] })}
        onConfirm={() => {}}
      />
      {value.genes.length > 0 && (
        <GeneChips
          label="Gene of the filter"
          genes={value.genes}
          onRemove={() => onChange({ ...value, genes: [] })}
          onClear={() => onChange({ ...value, genes: [] })}
        />
      )}
      <Choices
        label="Gene filter mode"
        choices={modes}
        value={mode}
        onChange={(filterType) => onChange({ ...value, filterType })}
      />
      {mode === 'percentile' && (
        <>
          <p aria-hidden className="mt-1 text-xs font-medium">
            Percentiles among
          </p>
          <Choices
            label="Percentiles among"
            choices={populations}
            value={value.among}
            onChange={(among) => onChange({ ...value, among })}
          />
          <PercentileInputs value={value} onChange={(range) => onChange({ ...value, ...range })} />
        </>
      )}
    </div>
  );
}

interface ChoicesProps<Value extends string> {
  label: string;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

function Choices<Value extends string>({ label, choices, value, onChange }: ChoicesProps<Value>) {
  const id = useId();
  return (
    <RadioGroup
      aria-label={label}
      className="gap-1.5"
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      {choices.map((choice) => (
        <div key={choice.value} className="flex items-center gap-2">
          <RadioGroupItem id={`${id}-${choice.value}`} value={choice.value} />
          <Label htmlFor={`${id}-${choice.value}`} className="text-[13px] font-normal">
            {choice.label}
          </Label>
        </div>
      ))}
    </RadioGroup>
  );
}
