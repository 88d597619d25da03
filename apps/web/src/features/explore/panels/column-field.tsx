import type { MapColumnList } from '@cellfolio/contract';
import { ChevronDown } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { AnnotationGroupsButton } from '@/features/annotations/index.ts';
import { CategoryDisplayButton } from '@/features/category-displays/index.ts';
import { ColumnPicker, noValue } from '@/features/map/index.ts';

type ObsColumn = MapColumnList['obs'][number];

interface ColumnFieldProps {
  label: string;
  none: string;
  columns: readonly ObsColumn[];
  problemOf: (column: ObsColumn) => string | undefined;
  /** Name of a column; empty for none. */
  chosen: string;
  onChoose: (column: string) => void;
  /** Set when the column defines groups, whose order, colours and names can be edited. */
  groups?: {
    filename: string;
    version: string;
    defaultColumn?: ObsColumn | undefined;
  };
}

export function ColumnField(props: ColumnFieldProps) {
  const { label, none, columns: all, problemOf, onChoose, groups } = props;
  // The first row of the list stands for the default column.
  const defaultName = groups?.defaultColumn?.name;
  const columns = all.filter(({ name }) => name !== defaultName);
  const chosen = props.chosen === defaultName ? '' : props.chosen;
  const column = columns.find(({ name }) => name === chosen);
  const title = column?.title ?? (chosen === '' ? none : chosen);
  return (
    <div className="flex items-center gap-2">
      <span className="mr-auto shrink-0 text-[13px] font-medium">{label}</span>
      {groups !== undefined &&
        (column?.own === true && column.kind === 'categories' ? (
          <AnnotationGroupsButton filename={groups.filename} version={groups.version} name={column.name} />
        ) : (
          <CategoryDisplayButton
            compact
            filename={groups.filename}
            column={chosen === '' ? groups.defaultColumn : column}
          />
        ))}
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
          title={title}
          className="h-auto min-h-8 w-48 min-w-0 shrink justify-between gap-1 py-1 text-left font-normal whitespace-normal"
        >
          <span className="line-clamp-3 min-w-0 wrap-anywhere">{title}</span>
          <ChevronDown aria-hidden className="text-muted size-3.5! shrink-0" />
        </Button>
      </ColumnPicker>
    </div>
  );
}

export function noCategories({ kind, categories }: ObsColumn): string | undefined {
  if (kind === 'categories') return categories === 0 ? noValue : undefined;
  return kind === 'levels' ? 'numbers' : 'a text for each cell';
}
