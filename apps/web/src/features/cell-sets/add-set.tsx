import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { ChooseGroups } from './choose-groups.tsx';
import { type ChosenSet, groupsSet } from './chosen-sets.ts';

interface AddSubsetProps {
  offered: readonly ChosenSet[];
  disabled: boolean;
  onAdd: (sets: readonly ChosenSet[]) => void;
}

export function AddSubset({ offered, disabled, onAdd }: AddSubsetProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="secondary"
          size="sm"
          disabled={disabled || offered.length === 0}
          title={offered.length === 0 ? 'Save a subset or select cells on the map first' : undefined}
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
  most: number;
  onAdd: (sets: readonly ChosenSet[]) => void;
}

export function AddGroups({ dataset, most, onAdd }: AddGroupsProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="secondary" size="sm" disabled={most === 0}>
          <Plus aria-hidden />
          Groups of a column
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" className="flex w-72 flex-col gap-3">
        <ChooseGroups
          dataset={dataset}
          most={most}
          action="Add"
          onChoose={(column, values, names) => {
            onAdd(values.map((value) => groupsSet(column, [value], names)));
            setOpen(false);
          }}
        />
      </PopoverContent>
    </Popover>
  );
}
