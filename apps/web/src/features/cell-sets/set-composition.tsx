import type { CellSetsAnswer, MapColumnList } from '@cellfolio/contract';
import { ChevronDown } from 'lucide-react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { ColumnPicker, noColours } from '@/features/map/index.ts';
import { namesText, useCategoryNames } from '@/features/category-displays/index.ts';
import { cn } from '@/lib/cn.ts';
import { formatCount, percent, plural } from '@/lib/format.ts';
import { letterOf } from './overlap-table.tsx';

type Composition = NonNullable<CellSetsAnswer['composition']>;
type ObsColumn = MapColumnList['obs'][number];

interface SetCompositionProps {
  filename: string;
  names: readonly string[];
  counts: readonly number[];
  columns: readonly ObsColumn[];
  /** Name of the column; empty for none. */
  by: string;
  onChoose: (column: string) => void;
  /** Absent until loaded. */
  composition: Composition | undefined;
}

export function SetComposition({
  filename,
  names,
  counts,
  columns,
  by,
  onChoose,
  composition,
}: SetCompositionProps) {
  const title = columns.find(({ name }) => name === by)?.title ?? (by === '' ? 'Off' : by);
  const shown = composition?.column === by ? composition : undefined;
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <span className="shrink-0 text-[13px] font-medium">Composition</span>
        <ColumnPicker
          label="Composition"
          columns={columns}
          problemOf={noCategories}
          chosen={by === '' ? undefined : by}
          none="Off"
          onChoose={(column) => onChoose(column ?? '')}
        >
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Composition: ${title}`}
            className="w-48 min-w-0 justify-between gap-1 font-normal"
          >
            <MiddleTruncated text={title} />
            <ChevronDown aria-hidden className="text-muted size-3.5!" />
          </Button>
        </ColumnPicker>
      </div>
      {by !== '' && shown === undefined && <Skeleton className="h-20" />}
      {by !== '' && shown !== undefined && (
        <CompositionTable
          filename={filename}
          names={names}
          counts={counts}
          title={title}
          composition={shown}
        />
      )}
    </>
  );
}

function noCategories(column: ObsColumn): string | undefined {
  return column.kind === 'levels' ? 'numbers' : noColours(column);
}

interface CompositionTableProps extends Pick<SetCompositionProps, 'filename' | 'names' | 'counts'> {
  title: string;
  composition: Composition;
}

function CompositionTable({ filename, names, counts, title, composition }: CompositionTableProps) {
  const { column, categories, others, without } = composition;
  const { ofColumn } = useCategoryNames(filename);
  const rows = [
    ...categories.map(({ name, colour, cells }) => {
      const label = ofColumn(column, name);
      return { name, label, title: namesText(label, name), colour, cells };
    }),
    ...(others.categories > 0 ? [rest(`${formatCount(others.categories)} more`, others.cells)] : []),
    ...(without.some((cells) => cells > 0) ? [rest('No category', without)] : []),
  ];
  if (rows.length === 0) return <Alert>The sets have no cells.</Alert>;
  return (
    <table className="w-full table-fixed text-xs tabular-nums">
      <caption className="sr-only">Share of each category of {title} in each of the sets</caption>
      <thead className="text-muted">
        <tr>
          <th scope="col" className="text-left font-normal">
            {title}
          </th>
          {names.map((name, set) => (
            <th key={name} scope="col" title={name} className={cn('text-right font-medium', width(names))}>
              {letterOf(set)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, label, title: whole, colour, cells }) => (
          // Only categories have a colour.
          <tr key={`${colour} ${name}`} className="hover:bg-surface-2">
            <th scope="row" title={whole} className="truncate py-0.5 text-left font-normal">
              <span
                aria-hidden
                className={cn('mr-1.5 inline-block size-2 rounded-full', colour === undefined && 'border')}
                style={{ backgroundColor: colour }}
              />
              {label}
            </th>
            {cells.map((count, set) => (
              <td
                key={names[set]}
                className={cn('text-right', count === 0 && 'text-muted')}
                title={`${plural(count, 'cell')} of ${formatCount(counts[set]!)}`}
              >
                {counts[set] === 0 ? '–' : percent(count, counts[set]!)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function rest(label: string, cells: readonly number[]) {
  return { name: label, label, title: label, colour: undefined, cells };
}

/** With six sets, about a third of the width remains for the category names. */
const width = (sets: readonly unknown[]) => (sets.length > 4 ? 'w-9' : 'w-12');
