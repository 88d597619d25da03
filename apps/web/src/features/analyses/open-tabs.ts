import { useDraft } from '@/lib/use-draft.ts';
import type { KeptAnalysis } from './kept-analyses.ts';

/** The ids of one analysis, or of two that are compared. */
export const tabId = (analyses: readonly string[]): string => analyses.join('+');
export const idsOfTab = (id: string): readonly string[] => id.split('+');

interface OpenTab {
  id: string;
  analyses: readonly KeptAnalysis[];
}

export interface OpenTabs {
  tabs: readonly OpenTab[];
  /** Undefined without tabs, and while it waits for the list of analyses. */
  active: OpenTab | undefined;
  /** Opens a tab, or activates it if it is open. */
  open: (id: string) => void;
  close: (id: string) => void;
  /** Closes the tabs that show an analysis. */
  closeAllOf: (analysisId: string) => void;
}

interface Stored {
  /** In their order. */
  ids: readonly string[];
  active: string;
}

/**
 * The tabs of the dock, kept over a reload. Those whose analyses are not in the list, because it is being loaded or they
 * were removed, are not shown.
 */
export function useOpenTabs(
  draftKey: string,
  { analyses, isLoading }: { analyses: readonly KeptAnalysis[]; isLoading: boolean },
): OpenTabs {
  const [stored, setStored] = useDraft<Stored>(
    `${draftKey}:result-tabs`,
    { ids: [], active: '' },
    readStored,
  );
  const tabs = stored.ids.flatMap((id) => {
    const ids = idsOfTab(id);
    const ofTab = ids.flatMap((one) => analyses.find((analysis) => analysis.id === one) ?? []);
    return ofTab.length === ids.length ? [{ id, analyses: ofTab }] : [];
  });
  const isAwaited = isLoading && stored.ids.includes(stored.active);
  const close = (closes: (id: string) => boolean) =>
    setStored(({ ids, active }) => {
      const left = ids.filter((id) => !closes(id));
      if (left.includes(active)) return { ids: left, active };
      // The next tab that stays, or the one before.
      const at = tabs.findIndex(({ id }) => id === active);
      const stays = ({ id }: OpenTab) => left.includes(id);
      const next = tabs.slice(at + 1).find(stays) ?? tabs.slice(0, at + 1).findLast(stays);
      return { ids: left, active: next?.id ?? '' };
    });
  return {
    tabs,
    active: tabs.find(({ id }) => id === stored.active) ?? (isAwaited ? undefined : tabs.at(-1)),
    open: (id) => setStored(({ ids }) => ({ ids: ids.includes(id) ? ids : [...ids, id], active: id })),
    close: (closed) => close((id) => id === closed),
    closeAllOf: (analysisId) => close((id) => idsOfTab(id).includes(analysisId)),
  };
}

function readStored(value: unknown): Stored | undefined {
  const { ids, active } = Object(value) as Record<string, unknown>;
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) return undefined;
  return typeof active === 'string' ? { ids, active } : undefined;
}
