import { useId } from 'react';
import { Input, Label } from '@/components/ui/form.tsx';
import type { PercentileRange } from './filter-config.ts';
import { percentileLimits } from './filter-config.ts';

interface PercentileInputsProps {
  value: PercentileRange;
  onChange: (range: PercentileRange) => void;
}

/** The two ends of a range of percentiles; an emptied box is NaN. */
export function PercentileInputs({ value, onChange }: PercentileInputsProps) {
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
