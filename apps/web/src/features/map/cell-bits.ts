import type { Layer } from '@cellfolio/map';
import { outsideSlot } from '@cellfolio/map';

/** Cells selected on a map: one bit per cell in map order, least significant bit of a byte first. */
export interface CellSelection {
  bits: Uint8Array;
  count: number;
  /** Absent if the cells are not whole categories. */
  of?: SelectionName;
}

/** Name of selected cells, such as `Regulatory T`, and their definition: `Cell State is Regulatory T`. */
export interface SelectionName {
  name: string;
  words: string;
}

const bitsOfByte = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) count++;
  return count;
});

export function selectionOf(bits: Uint8Array): CellSelection {
  let count = 0;
  for (let at = 0; at < bits.length; at++) count += bitsOfByte[bits[at]!]!;
  return { bits, count };
}

export type SelectionChange = 'replace' | 'add' | 'remove';

/** Returns `null` if no cell remains. */
export function changedSelection(
  before: CellSelection | null,
  bits: Uint8Array,
  change: SelectionChange,
): CellSelection | null {
  const changed = bits.slice();
  for (let at = 0; at < changed.length; at++) {
    const old = before?.bits[at] ?? 0;
    if (change === 'add') changed[at]! |= old;
    if (change === 'remove') changed[at] = old & ~changed[at]!;
  }
  const selection = selectionOf(changed);
  return selection.count === 0 ? null : selection;
}

/** Drops selected cells that the layer does not show: the lasso selects by position alone. */
export function shownAmong(bits: Uint8Array, { slots, palette }: Layer): Uint8Array {
  const isShown = Uint8Array.from({ length: 256 }, (_, slot) =>
    slot !== outsideSlot && palette[4 * slot + 3] !== 0 ? 1 : 0,
  );
  const shownBits = bits.slice();
  for (let at = 0; at < shownBits.length; at++) {
    if (shownBits[at] === 0) continue;
    for (let bit = 0; bit < 8; bit++)
      if (isShown[slots[8 * at + bit] ?? outsideSlot] === 0) shownBits[at]! &= ~(1 << bit);
  }
  return shownBits;
}

export function cellsOfSlots(layerSlots: Uint8Array, chosen: ReadonlySet<number>): Uint8Array {
  const isChosen = Uint8Array.from({ length: 256 }, (_, slot) => (chosen.has(slot) ? 1 : 0));
  const bits = new Uint8Array(Math.ceil(layerSlots.length / 8));
  for (let cell = 0; cell < layerSlots.length; cell++)
    if (isChosen[layerSlots[cell]!] === 1) bits[cell >> 3]! |= 1 << (cell & 7);
  return bits;
}

/** Selected cells by code: 0 = missing, k + 1 = category k. */
export function countsByCode(
  { bits }: CellSelection,
  codes: Uint8Array | Uint16Array,
  categories: number,
): Uint32Array {
  const counts = new Uint32Array(categories + 1);
  for (let at = 0; at < bits.length; at++) {
    const byte = bits[at]!;
    for (let bit = 0; byte >> bit > 0; bit++) if ((byte >> bit) & 1) counts[codes[8 * at + bit]!]!++;
  }
  return counts;
}
