import { useId } from 'react';
import { ChoiceLine } from '@/components/choice-line.tsx';
import { Input } from '@/components/ui/form.tsx';
import type { ChosenBins } from './numeric-bins.ts';

const ways = [
  { value: 'quartiles', label: 'Quartiles' },
  { value: 'quantiles', label: 'Quantiles' },
  { value: 'edges', label: 'Own edges' },
] as const;

interface BinsFieldProps {
  of: string;
  bins: ChosenBins;
  onChange: (bins: ChosenBins) => void;
  problem: string | undefined;
}

export function BinsField({ of, bins, onChange, problem }: BinsFieldProps) {
  const id = useId();
  const isEdges = bins.by === 'edges';
  return (
    <div className="border-input flex flex-col gap-2 border-l-2 pl-2.5">
      <ChoiceLine
        label="Cut into"
        options={ways}
        chosen={bins.by}
        onChoose={(by) => onChange({ ...bins, by })}
      />
      {bins.by !== 'quartiles' && (
        <div className="flex items-center justify-between gap-3">
          <label htmlFor={id} className="shrink-0 text-[13px] font-medium">
            {isEdges ? 'Edges' : 'How many'}
          </label>
          <Input
            id={id}
            className="h-8 w-48 text-[13px]"
            inputMode={isEdges ? 'text' : 'numeric'}
            autoComplete="off"
            aria-label={`${isEdges ? 'Edges' : 'How many'}: ${of}`}
            aria-invalid={problem !== undefined}
            placeholder={isEdges ? '0.5, 10, 100' : '5'}
            value={isEdges ? bins.edges : bins.parts}
            onChange={({ target: { value } }) =>
              onChange({ ...bins, ...(isEdges ? { edges: value } : { parts: value }) })
            }
          />
        </div>
      )}
      <p className="text-muted text-xs">
        {isEdges
          ? 'Each edge is the lowest value of the group above it.'
          : 'Groups of equal size among the active cells, as far as ties allow.'}
      </p>
    </div>
  );
}
