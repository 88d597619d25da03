import { useState } from 'react';
import { Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { cn } from '@/lib/cn.ts';
import type { FigureThresholds } from './analysis-module.ts';
import type { Directions } from './read-answer.ts';
import type { TypedLimits } from './row-limits.ts';

interface ResultLimitsProps {
  directions: Directions;
  limits: TypedLimits;
  onChange: (limits: TypedLimits) => void;
}

export function ResultLimits({ directions, limits, onChange }: ResultLimitsProps) {
  const { direction, adjustedP, foldChange } = limits;
  return (
    <div role="group" aria-label="Limits" className="flex flex-wrap items-center gap-2 text-xs">
      <Select
        value={direction}
        onValueChange={(value) => onChange({ ...limits, direction: value as TypedLimits['direction'] })}
      >
        <SelectTrigger data-size="sm" className="w-36" aria-label="Direction">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value="all">Higher or lower</SelectItem>
          <SelectItem value="higher">Higher in {directions.higher}</SelectItem>
          <SelectItem value="lower">Higher in {directions.lower}</SelectItem>
        </SelectContent>
      </Select>
      <LimitField
        label="adjusted p <"
        name="Adjusted p-value below"
        step={0.01}
        value={adjustedP}
        onChange={(value) => onChange({ ...limits, adjustedP: value })}
      />
      <LimitField
        label="|log2 fold change| ≥"
        name="Log2 fold change at least, in either direction"
        step={0.25}
        value={foldChange}
        onChange={(value) => onChange({ ...limits, foldChange: value })}
      />
    </div>
  );
}

interface ThresholdFieldsProps {
  thresholds: FigureThresholds;
  onChange: (change: Partial<FigureThresholds>) => void;
}

export function ThresholdFields({ thresholds: { adjustedP, foldChange }, onChange }: ThresholdFieldsProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-xs">
      <ThresholdField
        label="adjusted p <"
        name="Colored: adjusted p-value below"
        step={0.01}
        max={1}
        value={adjustedP}
        onChange={(value) => onChange({ adjustedP: value })}
      />
      <ThresholdField
        label="|log2 fold change| ≥"
        name="Colored: log2 fold change at least, in either direction"
        step={0.25}
        max={100}
        value={foldChange}
        onChange={(value) => onChange({ foldChange: value })}
      />
    </div>
  );
}

interface ThresholdFieldProps {
  label: string;
  name: string;
  step: number;
  max: number;
  value: number;
  onChange: (value: number) => void;
}

/** Keeps the typed text until the field loses focus; invalid or out-of-range values change nothing. */
function ThresholdField({ max, value, onChange, ...field }: ThresholdFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <LimitField
      {...field}
      value={typed ?? String(value)}
      onChange={(text) => {
        setTyped(text);
        const number = Number(text);
        if (text.trim() !== '' && number >= 0 && number <= max) onChange(number);
      }}
      onLeave={() => setTyped(null)}
    />
  );
}

interface LimitFieldProps {
  label: string;
  name: string;
  step: number;
  value: string;
  onChange: (value: string) => void;
  onLeave?: () => void;
}

function LimitField({ label, name, step, value, onChange, onLeave }: LimitFieldProps) {
  const isSet = value.trim() !== '';
  return (
    <label className={cn('flex items-center gap-1', isSet ? 'font-medium' : 'text-muted')}>
      {label}
      <Input
        type="number"
        aria-label={name}
        min={0}
        step={step}
        // A number would look as if it filtered.
        placeholder="any"
        className={cn('h-8 w-16 px-2 text-[13px]', isSet && 'border-accent')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onLeave}
      />
    </label>
  );
}
