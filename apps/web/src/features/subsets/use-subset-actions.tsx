import { useState } from 'react';
import { FailureNotice } from '@/components/call-failure.tsx';
import { toast } from '@/components/ui/toast.ts';
import { nameList } from '@/lib/format.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { mostAtOnce } from './each-value.ts';
import type { FilterConfig, SubsetDraft } from './filter-config.ts';
import type { SavedSubset, SavedSubsets } from './saved-subsets.ts';
import { freeName, subsetProblem } from './filter-payload.ts';
import type { ActiveSubset } from './use-active-subset.ts';
import type { Preview } from './use-filter-preview.ts';

/** How many cells pass filters. @throws {CallFailed} */
type CountCells = (config: FilterConfig) => Promise<number>;

interface SubsetActionsOptions {
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  /** A draft was saved: the form can be emptied. */
  onDone: (subset: SavedSubset) => void;
}

/** Creating, updating and deleting, each with its notices. A subset exists even if its filter call fails. */
export function useSubsetActions({ subsets, activeSubset, onDone }: SubsetActionsOptions) {
  const [working, setWorking] = useState(false);
  const { active, apply } = activeSubset;

  const whileWorking = async (work: () => Promise<void>) => {
    setWorking(true);
    try {
      await work();
    } finally {
      setWorking(false);
    }
  };
  const namesBut = (id: string | null) =>
    new Set((subsets.list.data ?? []).filter((other) => other.id !== id).map(({ name }) => name.trim()));
  const complains = ({ name, config }: SubsetDraft, id: string | null): boolean => {
    const problem = subsetProblem(name, config, namesBut(id));
    if (problem !== undefined) toast.error('Error', { description: problem });
    return problem !== undefined;
  };
  /** Whether it is known that no cell passes. What cannot be counted now may be saved. */
  const isEmpty = async (preview: Preview | null): Promise<boolean> => {
    const counted = await preview?.now().catch(() => undefined);
    if (counted?.cell_count !== 0) return false;
    toast.error('Error', {
      description: 'No cell passes these filters together. The subset was not saved; please loosen a filter.',
    });
    return true;
  };
  const failed = (text: string, error: unknown) =>
    toast.error('Error', { description: <FailureNotice text={text} error={error} /> });

  /** The subset as it is now; `undefined` where it could not be had, which a notice says. */
  const load = async (id: string): Promise<SavedSubset | undefined> => {
    let loaded: SavedSubset | undefined;
    await whileWorking(async () => {
      try {
        loaded = await subsets.load.mutateAsync(id);
      } catch (error) {
        failed('Failed to load subset. Please try again.', error);
      }
    });
    return loaded;
  };

  const create = async (draft: SubsetDraft, preview: Preview | null) => {
    if (complains(draft, null)) return;
    await whileWorking(async () => {
      if (await isEmpty(preview)) return;
      let subset: SavedSubset;
      try {
        subset = await subsets.create.mutateAsync(draft);
      } catch (error) {
        failed('Failed to create subset. Please try again.', error);
        return;
      }
      toast.success('Subset Created', { description: subset.name });
      onDone(subset);
      try {
        await apply(subset);
      } catch (error) {
        if (isCancelled(error)) return;
        console.warn('The filter of the new subset failed.', error);
        toast.warning('Warning', {
          description: <FailureNotice text="Subset loaded but filter API call failed." error={error} />,
        });
      }
    });
  };

  /** A subset of each draft that some cell passes; what is saved is saved, whatever comes of the next. */
  const createEach = async (drafts: readonly SubsetDraft[], count: CountCells): Promise<SavedSubset[]> => {
    const saved: SavedSubset[] = [];
    const empty: string[] = [];
    const taken = namesBut(null);
    const tooMany =
      drafts.length > mostAtOnce &&
      `At most ${mostAtOnce} subsets are made at once; ${drafts.length} values are ticked.`;
    const none = drafts.length === 0 && 'Please select at least one value.';
    const problem =
      tooMany ||
      none ||
      drafts.map(({ name, config }) => subsetProblem(name, config, new Set())).find(Boolean);
    if (problem !== undefined) {
      toast.error('Error', { description: problem });
      return saved;
    }
    await whileWorking(async () => {
      try {
        for (const draft of drafts) {
          const cells = await count(draft.config).catch(() => undefined);
          if (cells === 0) {
            empty.push(draft.name);
            continue;
          }
          const name = freeName(draft.name, taken);
          taken.add(name);
          saved.push(await subsets.create.mutateAsync({ ...draft, name }));
        }
      } catch (error) {
        failed('Failed to create subset. Please try again.', error);
      }
    });
    if (saved.length > 0) {
      toast.success('Subset Created', { description: nameList(saved.map(({ name }) => name)) });
    }
    if (empty.length > 0) {
      toast.warning('Warning', { description: `Not saved, as no cell passes: ${nameList(empty)}.` });
    }
    return saved;
  };

  const update = async (id: string, draft: SubsetDraft, preview: Preview | null) => {
    if (complains(draft, id)) return;
    await whileWorking(async () => {
      if (await isEmpty(preview)) return;
      let subset: SavedSubset;
      try {
        subset = await subsets.update.mutateAsync({ id, draft });
      } catch (error) {
        failed('Failed to update subset. Please try again.', error);
        return;
      }
      onDone(subset);
      const updated = `Successfully updated ${subset.name}`;
      try {
        await apply(subset);
        toast.success('Subset Updated', { description: `${updated} and applied filters.` });
      } catch (error) {
        if (!isCancelled(error)) console.warn('The filter of the updated subset failed.', error);
        toast.success('Subset Updated', {
          description: `${updated}. Its filters are not applied: choose it again under Cell subset.`,
        });
      }
    });
  };

  /** Says whether the subset is gone. */
  const remove = async (subset: SavedSubset): Promise<boolean> => {
    let gone = false;
    await whileWorking(async () => {
      try {
        await subsets.remove.mutateAsync(subset.id);
        gone = true;
      } catch (error) {
        failed('Failed to delete subset. Please try again.', error);
        return;
      }
      toast.success('Subset Deleted', {
        description: 'Successfully deleted the subset.',
        action: { label: 'Undo', onClick: () => void restore(subset) },
      });
      if (active.group?.id !== subset.id) return;
      await apply(null).catch((error: unknown) => console.warn('All cells could not be chosen.', error));
    });
    return gone;
  };

  const restore = async ({ draft }: SavedSubset) => {
    try {
      const name = freeName(draft.name, namesBut(null));
      const subset = await subsets.create.mutateAsync({ ...draft, name });
      toast.success('Subset Created', { description: subset.name });
    } catch (error) {
      failed('Failed to create subset. Please try again.', error);
    }
  };

  const saving = working && !subsets.load.isPending && !subsets.remove.isPending;
  return { working, saving, load, create, createEach, update, remove, namesBut };
}
