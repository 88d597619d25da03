import type { FilterAnswer, FilterPreview } from '@cellfolio/contract';
import { useState } from 'react';
import { FailureNotice } from '@/components/call-failure.tsx';
import { toast } from '@/components/ui/toast.ts';
import { nameList } from '@/lib/format.ts';
import { refusalReason } from '@/lib/refusal-reason.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { maxAtOnce } from './each-value.ts';
import type { FilterConfig, SubsetDraft } from './filter-config.ts';
import { freeName, subsetProblem } from './filter-payload.ts';
import type { SavedSubset, SavedSubsets } from './saved-subsets.ts';
import type { ActiveSubset } from './use-active-subset.ts';

/** Tells what filters keep now. */
interface Counted {
  now: () => Promise<Pick<FilterAnswer, 'cell_count' | 'kept'>>;
}

/**
 * Counts the cells that filters keep.
 * @throws {CallFailed}
 */
type CountCells = (config: FilterConfig) => Promise<FilterPreview>;

interface SubsetActionsOptions {
  subsets: SavedSubsets;
  activeSubset: ActiveSubset;
  onDone: (subset: SavedSubset) => void;
}

/** Creates, updates and deletes subsets and shows notices. A subset exists even if its filter call fails. */
export function useSubsetActions({ subsets, activeSubset, onDone }: SubsetActionsOptions) {
  const { working, whileWorking } = useWorking();
  const { active, apply } = activeSubset;

  const namesBut = (id: string | null) =>
    new Set((subsets.list.data ?? []).filter((other) => other.id !== id).map(({ name }) => name.trim()));

  /** The current subset; on failure shows a notice and returns `undefined`. */
  const load = (id: string): Promise<SavedSubset | undefined> =>
    whileWorking(() => orNotice('Failed to load subset. Please try again.', subsets.load.mutateAsync(id)));

  /** Saves a draft, overwriting the saved subset `id` if given; on failure shows a notice and returns `undefined`. */
  const save = async (draft: SubsetDraft, id: string | null, preview: Counted | null) => {
    // A filter that cannot be counted now may be saved.
    const counted = await preview?.now().catch(() => undefined);
    const problem =
      subsetProblem(draft.name, draft.config, namesBut(id)) ??
      (counted?.cell_count === 0
        ? 'No cell passes these filters together. The subset was not saved. Loosen a filter.'
        : undefined);
    if (problem !== undefined) {
      toast.error('Error', { description: problem });
      return undefined;
    }
    const keptCells = (preview === null ? draft.config.kept : counted?.kept) ?? null;
    const saved = { ...draft, config: { ...draft.config, kept: keptCells } };
    return id === null
      ? orNotice(createFailed, subsets.create.mutateAsync(saved))
      : orNotice(
          'Failed to update subset. Please try again.',
          subsets.update.mutateAsync({ id, draft: saved }),
        );
  };
  const activate = (subset: SavedSubset) => activateNew(subset, apply);
  const create = (draft: SubsetDraft, preview: Counted | null, isActive = true) =>
    whileWorking(async () => {
      const subset = await save(draft, null, preview);
      if (subset === undefined) return;
      toast.success('Subset Created', isActive ? { description: subset.name } : keptNotice(subset, activate));
      onDone(subset);
      if (isActive) await activate(subset);
    });
  const update = (id: string, draft: SubsetDraft, preview: Counted | null) =>
    whileWorking(async () => {
      const subset = await save(draft, id, preview);
      if (subset === undefined) return;
      onDone(subset);
      const updated = `Successfully updated ${subset.name}`;
      try {
        await apply(subset);
        toast.success('Subset Updated', { description: `${updated} and applied filters.` });
      } catch (error) {
        if (!isCancelled(error)) console.warn('The filter of the updated subset failed.', error);
        toast.success('Subset Updated', {
          description: `${updated}. Its filters were not applied: choose it again under Cell subset.`,
        });
      }
    });
  const createEach = (drafts: readonly SubsetDraft[], count: CountCells): Promise<SavedSubset[]> =>
    whileWorking(() => saveEach(drafts, count, namesBut(null), subsets.create.mutateAsync));

  const restore = async ({ draft }: SavedSubset) => {
    const name = freeName(draft.name, namesBut(null));
    const subset = await orNotice(createFailed, subsets.create.mutateAsync({ ...draft, name }));
    if (subset !== undefined) toast.success('Subset Created', { description: subset.name });
  };
  const remove = (subset: SavedSubset): Promise<boolean> =>
    whileWorking(async () => {
      try {
        await subsets.remove.mutateAsync(subset.id);
      } catch (error) {
        failed(deleteFailed, error);
        return false;
      }
      toast.dismiss(deleteFailed);
      toast.success('Subset Deleted', {
        description: 'Successfully deleted the subset.',
        action: { label: 'Undo', onClick: () => void restore(subset) },
      });
      if (active.group?.id === subset.id) {
        await apply(null).catch((error: unknown) => console.warn('All cells could not be activated.', error));
      }
      return true;
    });

  const saving = working && !subsets.load.isPending && !subsets.remove.isPending;
  return {
    working,
    saving,
    load,
    create,
    keep: (draft: SubsetDraft) => create(draft, null, false),
    createEach,
    update,
    remove,
    namesBut,
  };
}

function useWorking() {
  const [working, setWorking] = useState(false);
  const whileWorking = async <T,>(work: () => Promise<T>): Promise<T> => {
    setWorking(true);
    try {
      return await work();
    } finally {
      setWorking(false);
    }
  };
  return { working, whileWorking };
}

async function activateNew(subset: SavedSubset, apply: ActiveSubset['apply']): Promise<void> {
  try {
    await apply(subset);
  } catch (error) {
    if (isCancelled(error)) return;
    console.warn('The filter of the new subset failed.', error);
    toast.warning('Warning', {
      description: <FailureNotice text="Subset loaded but filter API call failed." error={error} />,
    });
  }
}

const keptNotice = (subset: SavedSubset, activate: (subset: SavedSubset) => Promise<void>) => ({
  description: `${subset.name}. The active cells have not changed.`,
  action: { label: 'Make active', onClick: () => void activate(subset) },
});
const createFailed = 'Failed to create subset. Please try again.';
const deleteFailed = 'Failed to delete subset. Please try again.';

/** For an exceeded limit, which no retry can fix, shows the reason alone. */
function failed(text: string, error: unknown) {
  const limit = refusalReason(error);
  toast.error('Error', {
    id: text,
    description: limit === '' ? <FailureNotice text={text} error={error} /> : limit,
  });
}

async function orNotice<T>(text: string, call: Promise<T>): Promise<T | undefined> {
  try {
    const result = await call;
    toast.dismiss(text);
    return result;
  } catch (error) {
    failed(text, error);
    return undefined;
  }
}

/** Saves a subset for each draft that matches any cell; subsets already saved stay if a later one fails. */
async function saveEach(
  drafts: readonly SubsetDraft[],
  count: CountCells,
  usedNames: Set<string>,
  create: (draft: SubsetDraft) => Promise<SavedSubset>,
): Promise<SavedSubset[]> {
  const problem = eachProblem(drafts);
  if (problem !== undefined) {
    toast.error('Error', { description: problem });
    return [];
  }
  const saved: SavedSubset[] = [];
  const empty: string[] = [];
  try {
    for (const draft of drafts) {
      const counted = await count(draft.config).catch(() => undefined);
      if (counted?.cell_count === 0) {
        empty.push(draft.name);
        continue;
      }
      const name = freeName(draft.name, usedNames);
      usedNames.add(name);
      const config = { ...draft.config, kept: counted?.kept ?? null };
      saved.push(await create({ ...draft, name, config }));
    }
  } catch (error) {
    failed(createFailed, error);
  }
  if (saved.length > 0) {
    toast.success('Subset Created', { description: nameList(saved.map(({ name }) => name)) });
  }
  if (empty.length > 0) {
    toast.warning('Warning', { description: `Not saved, because no cell passes: ${nameList(empty)}.` });
  }
  return saved;
}

function eachProblem(drafts: readonly SubsetDraft[]): string | undefined {
  if (drafts.length > maxAtOnce) {
    return `At most ${maxAtOnce} subsets can be created at once; ${drafts.length} values are ticked.`;
  }
  if (drafts.length === 0) return 'Please select at least one value.';
  return drafts.map(({ name, config }) => subsetProblem(name, config, new Set())).find(Boolean);
}
