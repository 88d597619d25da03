import type { FilterAnswer, FilterRequest } from '@cellfolio/contract';
import { filterAnswer } from '@cellfolio/contract';
import { useCallback, useEffect, useState } from 'react';
import type { ApiClient } from '@/lib/api-client.ts';
import { callFailure } from '@/lib/call-failure.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

/** A group of cells that can be worked on. */
export interface CellGroup {
  /** `null` for one that is not saved, as from the address of a colleague. */
  id: string | null;
  /** The id of a colleague's subset that a link names. */
  linked?: string;
  name: string;
  filter: FilterRequest;
}

/** Chooses all cells. */
const allCells: FilterRequest = { subset_group_name: 'Default' };

async function filterActiveDataset(
  api: ApiClient,
  filter: FilterRequest,
  { signal, onProgress }: CallHandle,
): Promise<FilterAnswer> {
  try {
    return await api({
      path: '/api/filter-active-dataset',
      body: filter,
      answer: filterAnswer,
      signal,
      // Choosing all cells is too quick for progress.
      onProgress: filter === allCells ? undefined : onProgress,
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw callFailure('Failed to apply the subset filter', cause);
  }
}

export interface ActiveCells {
  /** `null` for all cells. */
  group: CellGroup | null;
  /** The server's answer; `null` without one. */
  answer: FilterAnswer | null;
}

/**
 * The cells that later plots and analyses of this tab work on: the server decides, the page follows. A group that the
 * server refuses leaves the one before active.
 */
export function useActiveSubset() {
  const { api } = useServices();
  const [active, setActive] = useState<ActiveCells>({ group: null, answer: null });
  const call = useCancellableCall((group: CellGroup | null, handle) =>
    filterActiveDataset(api, group?.filter ?? allCells, handle),
  );
  const { mutateAsync } = call;

  /** Works on a group from now on. @throws {CallFailed} the one before stays active. */
  const apply = useCallback(
    async (group: CellGroup | null): Promise<FilterAnswer> => {
      const answer = await mutateAsync(group);
      // A group that goes into an address or a kept analysis knows how many cells it had.
      const kept = group?.filter.kept ?? answer.kept;
      setActive({ group: group && { ...group, filter: { ...group.filter, kept } }, answer });
      return answer;
    },
    [mutateAsync],
  );
  useEffect(() => {
    const count = async () => {
      try {
        await apply(null);
      } catch (error) {
        if (!isCancelled(error)) console.warn('The cells could not be counted.', error);
      }
    };
    void count();
  }, [apply]);

  return {
    active,
    apply,
    /** A group is being applied; the count on load is not waited for. */
    isApplying: call.isPending && call.variables !== null,
    isPending: call.isPending,
    applying: call.variables ?? null,
    progress: call.progress,
    slow: call.slow,
    /** Cancels the call. The server may have completed it: the active group is applied again. */
    cancel: () => {
      call.cancel();
      const handle = { signal: new AbortController().signal, onProgress: () => {} };
      filterActiveDataset(api, active.group?.filter ?? allCells, handle).catch((error: unknown) =>
        console.warn('The active cells could not be confirmed.', error),
      );
    },
  };
}

export type ActiveSubset = ReturnType<typeof useActiveSubset>;
