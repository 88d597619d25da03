import { type MapColumnList, maxAnnotationGroups } from '@cellfolio/contract';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Fragment, useState } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Input } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { cn } from '@/lib/cn.ts';
import { formatCount, plural } from '@/lib/format.ts';

type ObsColumn = MapColumnList['obs'][number];

interface ColumnPickerProps {
  label: string;
  columns: readonly ObsColumn[];
  problemOf: (column: ObsColumn) => string | undefined;
  chosen: string | undefined;
  onChoose: (column: string | undefined) => void;
  none?: string;
  children: ReactNode;
}

const maxRows = 200;

export function ColumnPicker({
  label,
  columns,
  problemOf,
  chosen,
  onChoose,
  none,
  children,
}: ColumnPickerProps) {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const text = query.trim().toLowerCase();
  const matches = matchingColumns(columns, text, problemOf);
  const firstProtein = matches.find(({ modality }) => modality === 'protein');
  const choose = (column: string | undefined) => {
    onChoose(column);
    setOpen(false);
  };
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setQuery('');
      }}
    >
      <PopoverTrigger asChild>{children}</PopoverTrigger>
      <PopoverContent align="end" className="flex w-80 flex-col gap-2 p-2" aria-label={label}>
        <Input
          type="search"
          className="h-8 text-[13px]"
          aria-label={`Find a column: ${label}`}
          placeholder="Find a column"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            const first = matches.find((column) => problemOf(column) === undefined);
            if (event.key === 'Enter' && text !== '' && first !== undefined) choose(first.name);
          }}
        />
        <ul className="max-h-72 overflow-y-auto" aria-label={label}>
          {text === '' && none !== undefined && (
            <ColumnRow
              title={none}
              facts=""
              isChosen={chosen === undefined}
              onChoose={() => choose(undefined)}
            />
          )}
          {matches.slice(0, maxRows).map((column) => (
            <Fragment key={column.name}>
              {column === firstProtein && (
                <li className="text-muted border-t px-2 pt-1.5 pb-0.5 text-[11px] font-medium not-first:mt-1">
                  Proteins
                </li>
              )}
              <ColumnRow
                title={column.title}
                facts={problemOf(column) ?? factsOf(column)}
                disabled={problemOf(column) !== undefined}
                isChosen={chosen === column.name}
                onChoose={() => choose(column.name)}
              />
            </Fragment>
          ))}
        </ul>
        {matches.length === 0 && <p className="text-muted px-2 pb-1 text-xs">No matching column.</p>}
        {matches.length > maxRows && (
          <p className="text-muted px-2 pb-1 text-xs">
            {formatCount(matches.length - maxRows)} more: type part of the name.
          </p>
        )}
      </PopoverContent>
    </Popover>
  );
}

/**
 * Columns whose name or title contains the lower-case text: cell types, clusters and the user's annotations first.
 * Numbers that cannot be chosen are not listed, nor are proteins: hundreds would say the same.
 */
export function matchingColumns(
  columns: readonly ObsColumn[],
  text: string,
  problemOf: ColumnPickerProps['problemOf'],
): ObsColumn[] {
  const matches = columns.filter(
    (column) =>
      `${column.name}\n${column.title}`.toLowerCase().includes(text) &&
      (column.kind !== 'levels' || problemOf(column) === undefined),
  );
  const rank = ({ role, own }: ObsColumn) => (role === 'cellType' || role === 'cluster' ? 0 : own ? 1 : 2);
  return matches.toSorted((one, other) => rank(one) - rank(other));
}

interface ColumnRowProps {
  title: string;
  facts: string;
  isChosen: boolean;
  disabled?: boolean;
  onChoose: () => void;
}

function ColumnRow({ title, facts, isChosen, disabled = false, onChoose }: ColumnRowProps) {
  return (
    <li>
      <button
        type="button"
        disabled={disabled}
        aria-pressed={isChosen}
        className={cn(
          'flex w-full items-center gap-2 rounded px-2 py-1 text-left text-[13px]',
          disabled ? 'text-muted cursor-not-allowed' : 'hover:bg-surface-2',
        )}
        onClick={onChoose}
      >
        <Check aria-hidden className={cn('size-3.5 shrink-0', !isChosen && 'invisible')} />
        <MiddleTruncated text={title} />
        <span className="text-muted ml-auto shrink-0 text-[11px] tabular-nums">{facts}</span>
      </button>
    </li>
  );
}

function factsOf({ kind, categories, missing = 0 }: ObsColumn): string {
  const what = kind === 'categories' ? plural(categories ?? 0, 'category', 'categories') : 'numbers';
  return missing > 0 ? `${what} · ${formatCount(missing)} missing` : what;
}

export const noValue = 'no cell has a value';

export function noColours({ kind, categories }: ObsColumn): string | undefined {
  if (kind === 'categories' && categories === 0) return noValue;
  return kind === 'none' ? 'a text for each cell' : undefined;
}

export function noNumbers({ kind }: ObsColumn): string | undefined {
  if (kind === 'levels') return undefined;
  return kind === 'categories' ? 'categories' : 'a text for each cell';
}

export function noGroups({ kind, categories = 0 }: ObsColumn): string | undefined {
  if (kind !== 'categories') return kind === 'none' ? 'a text for each cell' : 'numbers';
  if (categories === 0) return noValue;
  return categories > maxAnnotationGroups
    ? `${formatCount(categories)} of at most ${formatCount(maxAnnotationGroups)}`
    : undefined;
}

const maxSplits = 12;

export function noSplit({ kind, categories = 0 }: ObsColumn): string | undefined {
  if (kind !== 'categories') return kind === 'none' ? 'a text for each cell' : 'numbers';
  if (categories < 2) return categories === 0 ? noValue : 'one category';
  return categories > maxSplits ? `${formatCount(categories)} of at most ${maxSplits}` : undefined;
}
