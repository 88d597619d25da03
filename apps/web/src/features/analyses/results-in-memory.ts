import { useEffect, useRef, useState } from 'react';
import { type HeldTable, type JoinedSide, joinTables } from '@/features/tables/index.ts';

/** A result by the id of its analysis, or the joined table of a comparison by the id of its tab. */
interface InMemory {
  id: string;
  table: HeldTable;
}

/**
 * Limits of results held while the page is open, and of their table rows: a million rows takes about 160 megabytes.
 * Joined tables have the same.
 */
const maxResults = 10;
const maxRows = 5_000_000;

/** The newest within the limits, and those that the active tab needs. */
export function newest<One extends InMemory>(all: readonly One[], needed: readonly { id: string }[]): One[] {
  let rows = 0;
  return all.filter(({ id, table }, place) => {
    rows += table.rowCount;
    return place === 0 || needed.some((one) => one.id === id) || (place < maxResults && rows <= maxRows);
  });
}

/** Frees the tables of what is discarded. */
export function useClosedTables(held: readonly InMemory[]): void {
  const before = useRef(held);
  useEffect(() => {
    for (const one of before.current) if (!held.includes(one)) one.table.close();
    before.current = held;
  }, [held]);
  useEffect(
    () => () => {
      for (const { table } of before.current) table.close();
    },
    [],
  );
}

export type JoinedSides = readonly [JoinedSide, JoinedSide];

interface JoinedResult extends InMemory {
  sides: JoinedSides;
}

export interface JoinedTables {
  /** The table of a tab: with earlier groups or thresholds until that of the sides is ready. */
  of: (tab: string, sides: JoinedSides) => HeldTable | undefined;
  /** Joins the sides, unless the tab has their table or waits for it. */
  join: (tab: string, sides: JoinedSides) => Promise<void>;
  close: (closes: (tab: string) => boolean) => void;
}

/**
 * The joined tables of comparisons: a tab that is hidden keeps its table, one that is closed frees it. `needed`: the
 * active tab.
 */
export function useJoinedTables(needed: () => readonly { id: string }[]): JoinedTables {
  const [joined, setJoined] = useState<readonly JoinedResult[]>([]);
  useClosedTables(joined);
  /** Keys of the sides that tabs wait for. */
  const awaited = useRef(new Map<string, string>());
  useEffect(() => {
    const keys = awaited.current;
    return () => keys.clear();
  }, []);
  const ofTab = (tab: string) => joined.find(({ id }) => id === tab);
  return {
    of: (tab, [first, second]) => {
      const { sides, table } = ofTab(tab) ?? {};
      return sides?.[0].table === first.table && sides[1].table === second.table ? table : undefined;
    },
    join: async (tab, sides) => {
      const key = JSON.stringify(sides);
      if (JSON.stringify(ofTab(tab)?.sides) === key) return void awaited.current.delete(tab);
      if (awaited.current.get(tab) === key) return;
      awaited.current.set(tab, key);
      const isAwaited = () => awaited.current.get(tab) === key;
      try {
        const table = await joinTables(sides);
        // The tab was closed, or has other sides.
        if (!isAwaited()) return table.close();
        const others = needed();
        setJoined((current) =>
          newest([{ id: tab, sides, table }, ...current.filter(({ id }) => id !== tab)], others),
        );
      } catch (cause) {
        if (isAwaited()) throw cause;
      } finally {
        if (isAwaited()) awaited.current.delete(tab);
      }
    },
    close: (closes) => {
      for (const tab of awaited.current.keys()) if (closes(tab)) awaited.current.delete(tab);
      setJoined((current) => current.filter(({ id }) => !closes(id)));
    },
  };
}
