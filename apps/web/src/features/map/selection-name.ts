import { outsideSlot } from '@cellfolio/map';
import { nameList } from '@/lib/format.ts';
import type { CellSelection, SelectionName } from './cell-bits.ts';
import type { LegendEntry } from './map-layer.ts';

interface SlotCounts {
  all: Uint32Array;
  chosen: Uint32Array;
}

/** Cached by layer and selection: every row of a legend needs the same counts. */
const countsCache = new WeakMap<Uint8Array, { selection: CellSelection; counts: SlotCounts }>();

export function countsOfSelection(slots: Uint8Array, selection: CellSelection): SlotCounts {
  const cached = countsCache.get(slots);
  if (cached?.selection === selection) return cached.counts;
  const counts = { all: new Uint32Array(256), chosen: new Uint32Array(256) };
  for (let cell = 0; cell < slots.length; cell++) {
    const slot = slots[cell]!;
    counts.all[slot]!++;
    if ((selection.bits[cell >> 3]! >> (cell & 7)) & 1) counts.chosen[slot]!++;
  }
  countsCache.set(slots, { selection, counts });
  return counts;
}

/**
 * Name of a selection that consists of whole categories of a legend; undefined for any other. Also works on the map of
 * a subset, where some categories are absent. `title`: that of the column of the categories.
 */
export function nameOfSelection(
  selection: CellSelection,
  { slots, legend, title }: { slots: Uint8Array; legend: readonly LegendEntry[]; title: string | undefined },
): SelectionName | undefined {
  const { all, chosen } = countsOfSelection(slots, selection);
  if (all[outsideSlot]! > 0) return undefined;
  const selected = legend.filter(({ slot }) => chosen[slot]! > 0);
  const areWhole = selected.every(({ key, slot }) => key.startsWith('=') && chosen[slot] === all[slot]);
  const count = selected.reduce((sum, { slot }) => sum + chosen[slot]!, 0);
  if (!areWhole || count !== selection.count) return undefined;
  const names = nameList(
    selected.map(({ label }) => label),
    4,
  );
  const words = selected.length === 1 ? `is ${names}` : `is one of ${names}`;
  return { name: names, words: title === undefined ? names : `${title} ${words}` };
}
