import type { MapColumnList } from '@cellfolio/contract';
import { columnTitle } from '@cellfolio/contract';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { ColumnPicker } from '@/features/map/index.ts';

interface ColumnFieldProps {
  label: string;
  columns: MapColumnList['obs'];
  /** Why a column cannot be chosen. */
  problemOf: (column: MapColumnList['obs'][number]) => string | undefined;
  /** Empty for none. */
  chosen: string;
  none: string;
  onChoose: (column: string) => void;
}

/** One column of obs, or none. */
export function ColumnField({ label, columns, problemOf, chosen, none, onChoose }: ColumnFieldProps) {
  const id = useId();
  const shown = chosen === '' ? none : titleIn(columns, chosen);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      <ColumnPicker
        label={label}
        columns={columns}
        problemOf={problemOf}
        chosen={chosen === '' ? undefined : chosen}
        none={none}
        onChoose={(column) => onChoose(column ?? '')}
      >
        <Button
          id={id}
          variant="secondary"
          size="sm"
          aria-label={`${label}: ${shown}`}
          className="h-9 w-full min-w-0 justify-between gap-1 font-normal"
        >
          <MiddleTruncated text={shown} />
          <ChevronDown aria-hidden className="text-muted size-3.5!" />
        </Button>
      </ColumnPicker>
    </div>
  );
}

export function titleIn(columns: MapColumnList['obs'], name: string): string {
  return columns.find((column) => column.name === name)?.title ?? columnTitle(name);
}
