import { maxCellSets } from '@cellfolio/contract';
import { useQueries } from '@tanstack/react-query';
import { Check, ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { cn } from '@/lib/cn.ts';
import { formatCount } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { ChooseGroups } from './choose-groups.tsx';
import { type ChosenSet, groupsSet, overlapQuery } from './chosen-sets.ts';
import { useSetsAtHand } from './offered-sets.tsx';

interface CellSetFieldProps {
  label: string;
  dataset: { filename: string; version: string };
  value: ChosenSet | undefined;
  /** Meaning of an empty choice; absent when a set is required. */
  none?: string;
  onChange: (set: ChosenSet | undefined) => void;
}

export function CellSetField({ label, dataset, value, none, onChange }: CellSetFieldProps) {
  const id = useId();
  const { offered } = useSetsAtHand();
  const [open, setOpen] = useState(false);
  const choose = (set: ChosenSet | undefined) => {
    onChange(set);
    setOpen(false);
  };
  const countOf = useSetCounts(dataset, offered, open);
  const shown = value?.name ?? none ?? 'Choose cells';
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      <Popover open={open} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <Button
            id={id}
            variant="secondary"
            size="sm"
            aria-label={`${label}: ${shown}`}
            className="h-9 w-full min-w-0 justify-between gap-1 font-normal"
          >
            <span
              className={cn('min-w-0 truncate', value === undefined && none === undefined && 'text-muted')}
            >
              <MiddleTruncated text={shown} />
            </span>
            <ChevronDown aria-hidden className="text-muted size-3.5!" />
          </Button>
        </PopoverTrigger>
        <PopoverContent
          align="start"
          className="flex max-h-[70dvh] w-72 flex-col gap-3 overflow-y-auto"
          aria-label={label}
        >
          {(none !== undefined || offered.length > 0) && (
            <ul aria-label="Sets of cells" className="flex max-h-56 shrink-0 flex-col overflow-y-auto">
              {none !== undefined && (
                <SetRow name={none} isChosen={value === undefined} onChoose={() => choose(undefined)} />
              )}
              {offered.map((set, place) => (
                <SetRow
                  key={set.name}
                  name={set.name}
                  words={set.words === set.name ? '' : set.words}
                  count={countOf(place)}
                  isChosen={value?.name === set.name}
                  onChoose={() => choose(set)}
                />
              ))}
            </ul>
          )}
          <ChooseGroups
            dataset={dataset}
            max={Infinity}
            action="Use these groups"
            onChoose={(column, values, names) => choose(groupsSet(column, values, names))}
          />
        </PopoverContent>
      </Popover>
    </div>
  );
}

/** Sets counted by one call, besides all cells: a call takes at least two sets. */
const setsAtOnce = maxCellSets - 1;
const allCells: ChosenSet = { name: 'All cells', filter: { subset_group_name: 'Default' }, words: '' };

/** Cell counts of sets by index; undefined until counted. */
export function useSetCounts(
  { filename, version }: CellSetFieldProps['dataset'],
  sets: readonly ChosenSet[],
  enabled: boolean,
): (place: number) => number | undefined {
  const { api } = useServices();
  const parts = Array.from({ length: Math.ceil(sets.length / setsAtOnce) }, (_, at) => [
    allCells,
    ...sets.slice(at * setsAtOnce, (at + 1) * setsAtOnce),
  ]);
  const results = useQueries({
    queries: parts.map((part) =>
      Object.assign(overlapQuery(api, `${filename}@${version}`, part, undefined), { enabled }),
    ),
  });
  return (place) => results[Math.floor(place / setsAtOnce)]?.data?.counts[1 + (place % setsAtOnce)];
}

interface SetRowProps {
  name: string;
  words?: string;
  /** Undefined until counted. */
  count?: number | undefined;
  isChosen: boolean;
  onChoose: () => void;
}

function SetRow({ name, words = '', count, isChosen, onChoose }: SetRowProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        className="hover:bg-surface-2 flex w-full items-center gap-2 rounded px-2 py-1 text-left text-[13px]"
        onClick={onChoose}
      >
        <Check aria-hidden className={cn('size-3.5 shrink-0', !isChosen && 'invisible')} />
        <span className="min-w-0 flex-1">
          <span className="block truncate" title={name}>
            {name}
          </span>
          {words !== '' && (
            <span className="text-muted block truncate text-xs" title={words}>
              {words}
            </span>
          )}
        </span>
        {count !== undefined && (
          <span className="text-muted shrink-0 text-xs tabular-nums">{formatCount(count)}</span>
        )}
      </button>
    </li>
  );
}
