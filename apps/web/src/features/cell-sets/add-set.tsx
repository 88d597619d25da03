import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { CheckList } from '@/components/check-list.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { ColumnPicker, columnListQuery, groupsColumn, noGroups, valuesQuery } from '@/features/map/index.ts';
import { useServices } from '@/lib/services.ts';
import { type ChosenSet, groupSet } from './chosen-sets.ts';

interface AddSubsetProps {
  /** Saved subsets, and the cells that are selected on the map. */
  offered: readonly ChosenSet[];
  disabled: boolean;
  onAdd: (sets: readonly ChosenSet[]) => void;
}

/** Adds a subset to those that are compared. */
export function AddSubset({ offered, disabled, onAdd }: AddSubsetProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="secondary"
          size="sm"
          disabled={disabled || offered.length === 0}
          title={offered.length === 0 ? 'Save a subset first, or select cells on the map' : undefined}
        >
          <Plus aria-hidden />
          Subset
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="max-h-80 max-w-80 overflow-y-auto">
        {offered.map((set) => (
          <DropdownMenuItem key={set.name} onSelect={() => onAdd([set])}>
            <span className="truncate">{set.name}</span>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

interface AddGroupsProps {
  dataset: { filename: string; version: string };
  /** How many more may be added. */
  most: number;
  onAdd: (sets: readonly ChosenSet[]) => void;
}

/** Adds groups of a column of obs to those that are compared. */
export function AddGroups({ dataset, most, onAdd }: AddGroupsProps) {
  const { api } = useServices();
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | undefined>();
  const [checked, setChecked] = useState<readonly string[]>([]);
  const list = useQuery({ ...columnListQuery(api, dataset), enabled: open }).data?.obs ?? [];
  const column = list.find(({ name }) => name === chosen) ?? groupsColumn(list);
  const source = column && ({ from: 'obs', name: column.name } as const);
  const values = useQuery({
    ...valuesQuery(api, dataset, source, undefined),
    enabled: open && source !== undefined,
  }).data;
  const groups = values?.kind === 'categories' ? values.categories : undefined;
  const add = () => {
    onAdd(checked.map((value) => groupSet(column!, value)));
    setChecked([]);
    setOpen(false);
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="secondary" size="sm" disabled={most === 0}>
          <Plus aria-hidden />
          Groups of a column
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" className="flex w-72 flex-col gap-3">
        <ColumnPicker
          label="Column"
          columns={list}
          problemOf={noGroups}
          chosen={column?.name}
          onChoose={(name) => {
            setChosen(name);
            setChecked([]);
          }}
        >
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Column: ${column?.title ?? 'none'}`}
            className="w-full min-w-0 justify-between gap-1 font-normal"
          >
            <MiddleTruncated text={column?.title ?? 'Choose a column'} />
            <ChevronDown aria-hidden className="text-muted size-3.5!" />
          </Button>
        </ColumnPicker>
        {column !== undefined && groups === undefined && <Skeleton className="h-24" />}
        {column !== undefined && groups !== undefined && (
          <CheckList
            legend={`Groups of ${column.title}`}
            items={groups.map((value) => ({ value, label: value }))}
            checked={checked}
            onChange={setChecked}
          />
        )}
        {checked.length > most && (
          <p className="text-muted text-xs">
            {most === 1 ? 'One more set fits' : `${most} more sets fit`}; {checked.length} are chosen.
          </p>
        )}
        <Button size="sm" disabled={checked.length === 0 || checked.length > most} onClick={add}>
          Add
        </Button>
      </PopoverContent>
    </Popover>
  );
}
