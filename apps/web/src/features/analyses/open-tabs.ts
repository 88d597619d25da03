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
  active: OpenTab | undefined;
  /** Opens a tab, or activates it if it is open. */
  open: (id: string) => void;
  close: (id: string) => void;
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
export function useOpenTabs(draftKey: string, analyses: readonly KeptAnalysis[]): OpenTabs {
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
  return {
    tabs,
    active: tabs.find(({ id }) => id === stored.active) ?? tabs.at(-1),
    open: (id) => setStored(({ ids }) => ({ ids: ids.includes(id) ? ids : [...ids, id], active: id })),
    close: (id) => {
      const at = tabs.findIndex((tab) => tab.id === id);
      const next = tabs[at + 1] ?? tabs[at - 1];
      setStored(({ ids, active }) => ({
        ids: ids.filter((other) => other !== id),
        active: active === id ? (next?.id ?? '') : active,
      }));
    },
  };
}

function readStored(value: unknown): Stored | undefined {
  const { ids, active } = Object(value) as Record<string, unknown>;
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) return undefined;
  return typeof active === 'string' ? { ids, active } : undefined;
}
