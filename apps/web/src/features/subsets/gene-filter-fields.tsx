import { useId } from 'react';
import { Input, Label } from '@/components/ui/form.tsx';
import { RadioGroup, RadioGroupItem } from '@/components/ui/radio-group.tsx';
import type { GeneIndex } from '@/features/genes/index.ts';
import { GenePicker } from '@/features/gene-lists/index.ts';
import { formatCount } from '@/lib/format.ts';
import type { FilterConfig, GeneFilterType, PercentileRange, PercentilesAmong } from './filter-config.ts';
import { percentileLimits } from './filter-config.ts';
import { unnamedSignature } from './filter-payload.ts';

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

export function GeneFilterFields({ index, value, onChange }: GeneFilterFieldsProps) {
  const mode = value.filterType === '' ? 'percentile' : value.filterType;
  return (
    <div className="flex flex-col gap-2">
      <GenePicker
        index={index}
        label="Filter by gene"
        hint="One gene; a new one replaces it."
        chosenLabel="Gene of the filter"
        max={1}
        genes={value.genes}
        onChange={(genes) => onChange({ ...value, genes: genes.slice(-1) })}
        showEmpty={false}
      />
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

interface SignatureFilterFieldsProps {
  index: GeneIndex;
  value: FilterConfig['signatureFilter'];
  datasetCells: number;
  onChange: (value: FilterConfig['signatureFilter']) => void;
}

export function SignatureFilterFields({ index, value, datasetCells, onChange }: SignatureFilterFieldsProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <GenePicker
        index={index}
        label="Genes of the signature"
        chosenLabel="Genes of the signature filter"
        genes={value.genes}
        onChange={(genes) => onChange({ ...value, genes })}
        showEmpty={false}
      />
      <div className="flex flex-col gap-1">
        <Label htmlFor={id} className="text-xs">
          Filter signature name
        </Label>
        <Input
          id={id}
          className="h-8 px-2 text-[13px]"
          maxLength={200}
          autoComplete="off"
          placeholder={unnamedSignature}
          value={value.signatureName}
          onChange={(event) => onChange({ ...value, signatureName: event.target.value })}
        />
      </div>
      <PercentileInputs value={value} onChange={(range) => onChange({ ...value, ...range })} />
      <p className="text-muted text-xs">
        {`Scored on all ${formatCount(datasetCells)} cells of the dataset, independent of the active subset. Signature Visualization scores the active subset.`}
      </p>
    </div>
  );
}

interface PercentileInputsProps {
  value: PercentileRange;
  onChange: (range: PercentileRange) => void;
}

/** Ends of a percentile range; an emptied box is NaN. */
function PercentileInputs({ value, onChange }: PercentileInputsProps) {
  const { min, max } = percentileLimits;
  return (
    <div className="grid grid-cols-2 gap-2">
      <Percentile
        label="Minimum percentile"
        limits={min}
        value={value.minPercentile}
        onChange={(minPercentile) => onChange({ ...value, minPercentile })}
      />
      <Percentile
        label="Maximum percentile"
        limits={max}
        value={value.maxPercentile}
        onChange={(maxPercentile) => onChange({ ...value, maxPercentile })}
      />
    </div>
  );
}

interface PercentileProps {
  label: string;
  limits: readonly [number, number];
  value: number;
  onChange: (value: number) => void;
}

function Percentile({ label, limits: [low, high], value, onChange }: PercentileProps) {
  const id = useId();
  const wrong = !(value >= low && value <= high);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Label htmlFor={id} className="text-xs">
        {label}
      </Label>
      <Input
        id={id}
        type="number"
        inputMode="decimal"
        className="h-8 px-2 text-[13px] tabular-nums"
        min={low}
        max={high}
        step={percentileLimits.step}
        aria-invalid={wrong}
        aria-describedby={`${id}-limits`}
        value={Number.isNaN(value) ? '' : value}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      <p id={`${id}-limits`} className={wrong ? 'text-danger text-xs' : 'text-muted text-xs'}>
        {low} to {high}
      </p>
    </div>
  );
}
