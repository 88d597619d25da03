import type { FilterAnswer, FilterRequest } from '@cellfolio/contract';
import { filterAnswer } from '@cellfolio/contract';
import { useCallback, useEffect, useState } from 'react';
import type { ApiClient } from '@/lib/api-client.ts';
import { callFailure } from '@/lib/call-failure.ts';
import { useServices } from '@/lib/services.ts';
import { isCancelled, useCancellableCall } from '@/lib/use-cancellable-call.ts';
import type { CallHandle } from '@/lib/use-cancellable-call.ts';

export interface CellGroup {
  /** `null` for an unsaved group, such as one from a colleague's address. */
  id: string | null;
  linked?: string;
  name: string;
  filter: FilterRequest;
}

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
  group: CellGroup | null;
  answer: FilterAnswer | null;
}

/**
 * Cells that later plots and analyses of this tab use: the server decides, the page follows. If the server refuses a
 * group, the previous one stays active.
 */
export function useActiveSubset() {
  const { api } = useServices();
  const [active, setActive] = useState<ActiveCells>({ group: null, answer: null });
  const call = useCancellableCall((group: CellGroup | null, handle) =>
    filterActiveDataset(api, group?.filter ?? allCells, handle),
  );
  const { mutateAsync } = call;

  /** Applies a group. Throws CallFailed; the previous group then stays active. */
  const apply = useCallback(
    async (group: CellGroup | null): Promise<FilterAnswer> => {
      const answer = await mutateAsync(group);
      // A group that goes into an address or a kept analysis knows how many cells it had.
      const keptCells = group?.filter.kept ?? answer.kept;
      setActive({ group: group && { ...group, filter: { ...group.filter, kept: keptCells } }, answer });
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
    isApplying: call.isPending && call.variables !== null,
    isPending: call.isPending,
    applying: call.variables ?? null,
    progress: call.progress,
    slow: call.slow,
    /** Cancels the call. The server may have completed it, so the active group is applied again. */
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
