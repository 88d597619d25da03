import type { FilterAnswer } from '@cellfolio/contract';
import { useId, useState } from 'react';
import { FailureNotice } from '@/components/call-failure.tsx';
import { CautionList } from '@/components/caution-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Label } from '@/components/ui/form.tsx';
import {
  Select,
  SelectContent,
  SelectGroup,
  SelectItem,
  SelectLabel,
  SelectTrigger,
  SelectValue,
} from '@/components/ui/select.tsx';
import { toast } from '@/components/ui/toast.ts';
import { ApiRefusal, CallFailed } from '@/lib/api-errors.ts';
import { remedyOf } from '@/lib/call-failure.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { freeName } from './filter-payload.ts';
import type { SavedSubset, SavedSubsets } from './saved-subsets.ts';
import { draftOfFilter, selectionText } from './saved-subsets.ts';
import type { ActiveSubset, CellGroup } from './use-active-subset.ts';
import { useSubsetActions } from './use-subset-actions.tsx';

interface SubsetChooserProps {
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  version: string;
  datasetCells: number;
  datasetUnlabelled: number;
  disabled: boolean;
  /** Reopens the dataset if the server has lost it; resolves to whether that worked. */
  onReload: () => Promise<boolean>;
}

/** Values of the entries that are not saved subsets; ids of saved ones are UUIDs. */
const global = 'global';
const unsaved = 'unsaved';

export function SubsetChooser({
  subsets,
  activeSubset,
  version,
  datasetCells,
  datasetUnlabelled,
  disabled,
  onReload,
}: SubsetChooserProps) {
  const id = useId();
  const { active, applying, isApplying, isPending } = activeSubset;
  const { list } = subsets;
  const group = isApplying ? applying : active.group;
  const saved = list.data ?? [];
  const value = valueOf(group, saved);
  const cells = active.answer?.cell_count ?? (active.group === null ? datasetCells : null);
  const unlabelled = active.answer?.unlabelled_cells ?? (active.group === null ? datasetUnlabelled : 0);
  // One that was deleted elsewhere, or came with the address.
  const stray = active.group !== null && !saved.some((subset) => subset.id === active.group?.id);

  const { applyGroup, refused } = useApplyGroup(activeSubset, onReload);
  const choose = (next: string) => {
    const chosen: CellGroup | null | undefined =
      next === global ? null : next === unsaved ? active.group : saved.find((subset) => subset.id === next);
    if (chosen !== undefined) void applyGroup(chosen);
  };

  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <Label htmlFor={id} className="text-[13px]">
          Cell subset
        </Label>
        <p role="status" className="text-muted min-w-0 truncate text-xs tabular-nums">
          {isPending && cells === null ? 'Counting cells...' : cellsText(cells, datasetCells)}
        </p>
      </div>
      <Select value={value} onValueChange={choose} disabled={disabled || isApplying}>
        <SelectTrigger id={id}>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={global}>{globalText(active.group === null ? cells : datasetCells)}</SelectItem>
          {stray && <SelectItem value={unsaved}>{active.group?.name} (not saved)</SelectItem>}
          {saved.length > 0 && (
            <SelectGroup>
              <SelectLabel>Saved subsets</SelectLabel>
              {saved.map((subset) => (
                <SelectItem key={subset.id} value={subset.id}>
                  <SubsetName subset={subset} version={version} />
                </SelectItem>
              ))}
            </SelectGroup>
          )}
        </SelectContent>
      </Select>
      {refused !== null && <p className="text-danger text-xs wrap-anywhere">{refused}</p>}
      {unlabelled > 0 && (
        <p className="text-muted text-xs tabular-nums">
          {`${plural(unlabelled, 'active cell')} without a cell type.`}
        </p>
      )}
      {active.answer !== null && <CautionList cautions={active.answer.warnings} />}
      {active.answer?.warnings.some(({ code }) => code === 'filter-of-other-version') && (
        <SaveAsItIs answer={active.answer} subsets={subsets} activeSubset={activeSubset} />
      )}
      {active.group?.id === null && list.isSuccess && (
        <UnsavedSubset group={active.group} subsets={subsets} activeSubset={activeSubset} />
      )}
      {list.isError && (
        <p className="text-danger text-xs">
          Failed to load saved subsets.{' '}
          <Button variant="link" size="inline" className="text-xs" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}

export function SubsetName({ subset: { name, draft }, version }: { subset: SavedSubset; version: string }) {
  const selection = selectionText(draft.config, version);
  return (
    <>
      {name}
      {selection !== undefined && <span className="text-muted text-xs tabular-nums"> · {selection}</span>}
    </>
  );
}

function valueOf(shown: CellGroup | null, saved: readonly { id: string }[]): string {
  if (shown === null) return global;
  return saved.some(({ id }) => id === shown.id) ? (shown.id ?? unsaved) : unsaved;
}

const notApplied = 'subset-not-applied';

export function useApplyGroup({ apply }: ActiveSubset, onReload: () => Promise<boolean>) {
  const [refused, setRefused] = useState<string | null>(null);
  const applyGroup = async (chosen: CellGroup | null): Promise<void> => {
    setRefused(null);
    try {
      await apply(chosen);
      toast.dismiss(notApplied);
    } catch (error) {
      if (isCancelled(error)) return;
      console.warn('The subset could not be applied.', error);
      if (error instanceof CallFailed && error.cause instanceof ApiRefusal && error.cause.status < 500)
        setRefused(`${chosen?.name ?? 'Global'}: ${error.reason}`);
      const reload = async () => {
        if (await onReload()) await applyGroup(chosen);
      };
      toast.warning('Warning', {
        id: notApplied,
        description: <FailureNotice text="Subset selection API call failed." error={error} />,
        ...(error instanceof Error &&
          remedyOf(error) === 'reload-dataset' && {
            action: { label: 'Reload dataset', onClick: () => void reload() },
          }),
      });
    }
  };
  return { applyGroup, refused };
}

interface UnsavedSubsetProps {
  group: CellGroup;
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
}

function UnsavedSubset({ group, subsets, activeSubset }: UnsavedSubsetProps) {
  const actions = useSubsetActions({ subsets, activeSubset, onDone: () => {} });
  return (
    <p className="text-muted text-xs">
      Not saved.{' '}
      <Button
        variant="link"
        size="inline"
        className="text-xs"
        disabled={actions.working || activeSubset.isApplying}
        onClick={() => {
          const draft = draftOfFilter(group.filter);
          const name = freeName(draft.name, actions.namesBut(null));
          void actions.create({ ...draft, name }, null);
        }}
      >
        Save as subset
      </Button>
    </p>
  );
}

interface SaveAsItIsProps extends Omit<UnsavedSubsetProps, 'group'> {
  answer: FilterAnswer;
}

/** Saves the active subset with the cells that it has now, so that it does not warn of those before. */
function SaveAsItIs({ answer, subsets, activeSubset }: SaveAsItIsProps) {
  const actions = useSubsetActions({ subsets, activeSubset, onDone: () => {} });
  const saved = subsets.list.data?.find(({ id }) => id === activeSubset.active.group?.id);
  if (saved === undefined) return null;
  return (
    <Button
      variant="secondary"
      size="xs"
      className="self-start"
      disabled={actions.working || activeSubset.isApplying}
      onClick={() => void actions.update(saved.id, saved.draft, { now: () => Promise.resolve(answer) })}
    >
      Save with these {plural(answer.cell_count, 'cell')}
    </Button>
  );
}

function globalText(cells: number | null): string {
  return cells === null ? 'Global' : `Global (${plural(cells, 'cell')})`;
}

function cellsText(cells: number | null, all: number): string {
  if (cells === null) return '';
  return cells === all
    ? `${plural(cells, 'cell')} active`
    : `${formatCount(cells)} of ${plural(all, 'cell')} active`;
}
