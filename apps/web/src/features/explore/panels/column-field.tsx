import type { MapColumnList } from '@cellfolio/contract';
import { ChevronDown } from 'lucide-react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { ColumnPicker } from '@/features/map/index.ts';

type ObsColumn = MapColumnList['obs'][number];

interface ColumnFieldProps {
  label: string;
  none: string;
  columns: readonly ObsColumn[];
  problemOf: (column: ObsColumn) => string | undefined;
  /** Name of a column; empty for none. */
  chosen: string;
  onChoose: (column: string) => void;
}

/** A line with the chosen column, which opens the list of them. */
export function ColumnField({ label, none, columns, problemOf, chosen, onChoose }: ColumnFieldProps) {
  const title = columns.find(({ name }) => name === chosen)?.title ?? (chosen === '' ? none : chosen);
  return (
    <div className="flex items-center justify-between gap-3">
      <span className="shrink-0 text-[13px] font-medium">{label}</span>
      <ColumnPicker
        label={label}
        columns={columns}
        problemOf={problemOf}
        chosen={chosen === '' ? undefined : chosen}
        none={none}
        onChoose={(column) => onChoose(column ?? '')}
      >
        <Button
          variant="secondary"
          size="sm"
          aria-label={`${label}: ${title}`}
          className="w-48 min-w-0 shrink justify-between gap-1 font-normal"
        >
          <MiddleTruncated text={title} />
          <ChevronDown aria-hidden className="text-muted size-3.5!" />
        </Button>
      </ColumnPicker>
    </div>
  );
}

export function noCategories({ kind }: ObsColumn): string | undefined {
  if (kind === 'categories') return undefined;
  return kind === 'levels' ? 'numbers' : 'a text for each cell';
}
