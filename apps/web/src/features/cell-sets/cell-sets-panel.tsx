import { maxCellSets } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { X, Plus } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { FailureNotice } from '@/components/call-failure.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { toast } from '@/components/ui/toast.ts';
import { type MapStore, columnListQuery } from '@/features/map/index.ts';
import {
  type ActiveSubset,
  type SavedSubsets,
  draftOfCells,
  freeName,
  useSubsetActions,
} from '@/features/subsets/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { readText, useDraft } from '@/lib/use-draft.ts';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import {
  cellsOf,
  type ChosenSet,
  overlapQuery,
  readChosenSets,
  setColours,
  groupsSet,
} from './chosen-sets.ts';
import { GroupBySets } from './group-by-sets.tsx';
import { useOfferedSets } from './offered-sets.tsx';
import { letterOf, OverlapTable } from './overlap-table.tsx';
import { SetComposition } from './set-composition.tsx';
import { type Combination, emptyWords, keyOf, type SetChoice, setWords } from './set-words.ts';
import { ChooseGroups } from './choose-groups.tsx';

interface CellSetsPanelProps {
  draftKey: string;
  dataset: { filename: string; version: string };
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  maps: MapStore;
  cellCount: number;
  onCompare: (a: ChosenSet, b: ChosenSet) => void;
}

export function CellSetsPanel({
  draftKey,
  dataset,
  subsets,
  activeSubset,
  maps,
  cellCount,
  onCompare,
}: CellSetsPanelProps) {
  const [sets, setSets] = useDraft<ChosenSet[]>(`${draftKey}:cell-sets`, [], readChosenSets);
  const usedNames = new Set(sets.map(({ name }) => name));
  const [by, setBy] = useDraft(`${draftKey}:cell-sets-by`, '', readText);
  const { filename, version } = dataset;
  const offered = useOfferedSets({ filename, subsets, maps, version, cellCount }).filter(
    ({ name }) => !usedNames.has(name),
  );
  const add = (more: readonly ChosenSet[]) =>
    setSets([...sets, ...more.map((set) => ({ ...set, name: freeName(set.name, usedNames) }))]);
  const remaining = maxCellSets - sets.length;
  return (
    <div className="flex flex-col gap-3">
      {sets.length < 2 && (
        <p className="text-muted text-[13px]">
          Choose 2 to {maxCellSets} sets of cells. Save the cells they share, or do not share, as a subset.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <AddSubset offered={offered} disabled={remaining === 0} onAdd={add} />
        <AddGroups dataset={dataset} max={remaining} onAdd={add} />
      </div>
      {offered.length === 0 && sets.length < 2 && (
        <p className="text-muted text-xs">
          For cells of your own, save a subset or select cells on the map: they are then listed under Subset.
        </p>
      )}
      {/* Other sets, other combinations. */}
      <Overlap
        key={sets.map(({ name }) => name).join('\n')}
        sets={sets}
        dataset={dataset}
        by={by}
        onBy={setBy}
        subsets={subsets}
        activeSubset={activeSubset}
        onCompare={onCompare}
        onRemove={(name) => setSets(sets.filter((set) => set.name !== name))}
      />
    </div>
  );
}

interface SetListProps {
  sets: readonly ChosenSet[];
  /** Absent until loaded. */
  counts: readonly number[] | undefined;
  onRemove: (name: string) => void;
}

function SetList({ sets, counts, onRemove }: SetListProps) {
  return (
    <ul aria-label="Sets" className="rounded-md border text-[13px]">
      {sets.map(({ name, words }, place) => (
        <li key={name} className="flex items-center gap-2 border-t py-0.5 pr-1 pl-2 first:border-t-0">
          <span
            aria-hidden
            className="size-2.5 shrink-0 rounded-full"
            style={{ backgroundColor: setColours[place] }}
          />
          <span className="text-muted w-3 font-medium">{letterOf(place)}</span>
          <span className="min-w-0 flex-1">
            <span className="block truncate" title={name}>
              {name}
            </span>
            {words !== '' && words !== name && (
              <span className="text-muted block truncate text-xs" title={words}>
                {words}
              </span>
            )}
          </span>
          <span className="text-muted text-xs tabular-nums">
            {counts === undefined ? '' : formatCount(counts[place]!)}
          </span>
          <Button
            variant="ghost"
            size="icon-sm"
            className="size-6"
            aria-label={`Remove ${name}`}
            onClick={() => onRemove(name)}
          >
            <X aria-hidden className="size-3.5!" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface OverlapProps extends Pick<
  CellSetsPanelProps,
  'dataset' | 'subsets' | 'activeSubset' | 'onCompare'
> {
  sets: readonly ChosenSet[];
  by: string;
  onBy: (column: string) => void;
  onRemove: (name: string) => void;
}

function Overlap({ sets, dataset, by, onBy, subsets, activeSubset, onCompare, onRemove }: OverlapProps) {
  const { api } = useServices();
  const overlap = useQuery(
    overlapQuery(api, `${dataset.filename}@${dataset.version}`, sets, by === '' ? undefined : by),
  );
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? [];
  const [checkedKeys, setCheckedKeys] = useState<ReadonlySet<string>>(new Set());
  // What was asked for and has no cells.
  const [none, setNone] = useState<SetChoice | null>(null);
  if (sets.length === 0) return null;
  const names = sets.map(({ name }) => name);
  const all = overlap.data?.combinations ?? [];
  const chosen = all.filter(({ inside }) => checkedKeys.has(keyOf(inside)));
  const choose = (choice: SetChoice) => {
    const within = choices[choice].within(names.length);
    const matchingKeys = all.flatMap(({ inside }) => (within(inside) ? [keyOf(inside)] : []));
    setCheckedKeys(new Set(matchingKeys));
    setNone(matchingKeys.length === 0 ? choice : null);
  };
  return (
    <>
      <SetList sets={sets} counts={overlap.data?.counts} onRemove={onRemove} />
      <CompareGenes sets={sets} onCompare={onCompare} />
      {overlap.isError && (
        <Alert variant="danger" role="alert">
          <FailureNotice text="The sets could not be compared." error={overlap.error} />
        </Alert>
      )}
      {sets.length >= 2 && overlap.isPending && <Skeleton className="h-24" />}
      {overlap.data && (
        <>
          <div role="group" aria-label="Choose cells" className="flex flex-wrap gap-1.5">
            {(Object.keys(choices) as SetChoice[]).map((choice) => (
              <Button key={choice} variant="secondary" size="xs" onClick={() => choose(choice)}>
                {choices[choice].label}
              </Button>
            ))}
          </div>
          {none !== null && (
            <p role="status" className="text-[13px] wrap-anywhere">
              {emptyWords(names, { counts: overlap.data.counts, all: all.map(({ inside }) => inside) }, none)}
            </p>
          )}
          <OverlapTable
            names={names}
            overlap={overlap.data}
            checkedKeys={checkedKeys}
            onKeep={(inside, on) => {
              const next = new Set(checkedKeys);
              if (on) next.add(keyOf(inside));
              else next.delete(keyOf(inside));
              setCheckedKeys(next);
              setNone(null);
            }}
          />
          <SetComposition
            filename={dataset.filename}
            names={names}
            counts={overlap.data.counts}
            columns={columns}
            by={by}
            onChoose={onBy}
            composition={overlap.data.composition}
          />
          <SaveCells
            key={[...checkedKeys].toSorted().join(';')}
            count={chosen.reduce((sum, { count }) => sum + count, 0)}
            words={setWords(
              names,
              all.map(({ inside }) => inside),
              chosen.map(({ inside }) => inside),
            )}
            cells={() =>
              cellsOf(
                api,
                sets,
                chosen.map(({ inside }) => inside),
              )
            }
            subsets={subsets}
            activeSubset={activeSubset}
          />
          <GroupBySets
            dataset={dataset}
            sets={sets}
            combinations={all.flatMap(({ inside }) => (inside.length > 0 ? [inside] : []))}
          />
        </>
      )}
    </>
  );
}

function CompareGenes({ sets: [a, b, ...more], onCompare }: Pick<OverlapProps, 'sets' | 'onCompare'>) {
  if (a === undefined || b === undefined || more.length > 0) return null;
  return (
    <Button variant="secondary" size="xs" className="self-start" onClick={() => onCompare(a, b)}>
      Compare the genes of A and B
    </Button>
  );
}

const choices: Record<
  SetChoice,
  { label: string; within: (sets: number) => (inside: Combination) => boolean }
> = {
  all: { label: 'In all', within: (sets) => (inside) => inside.length === sets },
  any: { label: 'In any', within: () => (inside) => inside.length > 0 },
  one: { label: 'In one only', within: () => (inside) => inside.length === 1 },
};

interface SaveCellsProps extends Pick<CellSetsPanelProps, 'subsets' | 'activeSubset'> {
  count: number;
  words: string;
  cells: () => ReturnType<typeof cellsOf>;
}

function SaveCells({ count, words, cells, subsets, activeSubset }: SaveCellsProps) {
  const id = useId();
  const [name, setName] = useState('');
  const [pending, setPending] = useState(false);
  const actions = useSubsetActions({ subsets, activeSubset, onDone: () => {} });
  if (count === 0) return <p className="text-muted text-xs">Tick the cells of the subset.</p>;
  const suggestion = words.length > 100 ? `${words.slice(0, 97)}...` : words;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    try {
      const selectedCells = await cells();
      const free = freeName(name.trim() || suggestion, actions.namesBut(null));
      const selection = { ...selectedCells.cells, count: selectedCells.count, of: words };
      await actions.keep(draftOfCells(free, selection));
    } catch (error) {
      console.warn('The cells of the sets could not be loaded.', error);
      toast.error('Error', {
        description: <FailureNotice text="The subset could not be created." error={error} />,
      });
    } finally {
      setPending(false);
    }
  };
  return (
    <form className="flex flex-col gap-1.5" onSubmit={(event) => void save(event)}>
      <p role="status" className="text-[13px]">
        <span className="tabular-nums">{plural(count, 'cell')}</span>: {words}
      </p>
      <Label htmlFor={id} className="text-[13px]">
        Name of the subset
      </Label>
      <Input
        id={id}
        className="h-8 text-[13px]"
        maxLength={100}
        placeholder={suggestion}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" size="sm" disabled={pending || actions.working}>
        {pending || actions.saving ? 'Saving...' : 'Save as subset'}
      </Button>
    </form>
  );
}

interface AddSubsetProps {
  offered: readonly ChosenSet[];
  disabled: boolean;
  onAdd: (sets: readonly ChosenSet[]) => void;
}

function AddSubset({ offered, disabled, onAdd }: AddSubsetProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" size="sm" disabled={disabled || offered.length === 0}>
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
  max: number;
  onAdd: (sets: readonly ChosenSet[]) => void;
}

function AddGroups({ dataset, max, onAdd }: AddGroupsProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button variant="secondary" size="sm" disabled={max === 0}>
          <Plus aria-hidden />
          Groups of a column
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" className="flex w-72 flex-col gap-3">
        <ChooseGroups
          dataset={dataset}
          max={max}
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
