import type { CategoryColumn, LevelColumn, MaskColumn } from '@cellfolio/columns';
import type { MapFigure } from '@cellfolio/contract';
import type { Layer, Rgb } from '@cellfolio/map';
import { outsideSlot, rangePalette, slotPalette } from '@cellfolio/map';
import type { CardLook } from './map-store.ts';

/** Slot of all groups beyond those that a figure names; the named ones have the slots from 1 on. */
const restSlot = 253;

type GroupFigure = Extract<MapFigure, { groups: unknown }>;
type RangeFigure = Extract<MapFigure, { domain: unknown }>;

export interface LegendEntry {
  /** The category prefixed with `=`; `missing`, `others` or `rest` for entries that are not categories. */
  key: string;
  label: string;
  /** Label in the dataset, if the user chose another one. */
  name?: string | undefined;
  colour: string;
  cells: number;
  slot: number;
}

/** The cells of a figure by their slots, which do not depend on colours or hidden categories. */
export interface MapSlots {
  slots: Uint8Array;
  onTopFrom?: number;
  /** Empty for a colour range. */
  legend: readonly LegendEntry[];
}

/** `column` is absent if all cells are one group. */
export function groupSlots(
  figure: GroupFigure,
  column: CategoryColumn | undefined,
  { cells, mask }: { cells: number; mask: MaskColumn | undefined },
): MapSlots {
  const slotOf = new Uint8Array((column?.categories.length ?? 1) + 1);
  const highlights = figure.colours.others !== undefined;
  if (!highlights) slotOf.fill(restSlot, 1);
  figure.groups.forEach(({ code }, at) => (slotOf[code + 1] = at + 1));
  const codes = column?.codes ?? new Uint8Array(cells).fill(1);
  const isIdentity = codes instanceof Uint8Array && slotOf.every((slot, code) => slot === code);
  const slots = isIdentity ? codes : Uint8Array.from(codes, (code) => slotOf[code]!);
  const named = figure.groups.map(({ label, name, colour, cells: count, code }, at) => ({
    key: `=${column?.categories[code] ?? label}`,
    label,
    name,
    colour,
    cells: count,
    slot: at + 1,
  }));
  return {
    slots: masked(slots, mask),
    ...(highlights && { onTopFrom: 1 }),
    legend: [...named.filter(({ cells: count }) => highlights || count > 0), ...otherEntries(figure)],
  };
}

function otherEntries({ rest, missing, others, colours }: GroupFigure): LegendEntry[] {
  const entries: LegendEntry[] = [];
  if (rest !== undefined) {
    const { groups, cells, colour } = rest;
    entries.push({ key: 'rest', label: `${groups} more groups`, colour, cells, slot: restSlot });
  }
  if (missing > 0 && colours.missing !== undefined)
    entries.push({ key: 'missing', label: 'Not assigned', colour: colours.missing, cells: missing, slot: 0 });
  if (others > 0 && colours.others !== undefined)
    entries.push({ key: 'others', label: 'Other cells', colour: colours.others, cells: others, slot: 0 });
  return entries;
}

/** Draw order of the figure: cells that express a gene on top of the others, or all shuffled. */
export function rangeSlots(
  { order }: Pick<RangeFigure, 'order'>,
  { levels }: LevelColumn,
  mask: MaskColumn | undefined,
): MapSlots {
  return {
    slots: masked(levels, mask),
    ...(order === 'expressing-on-top' && { onTopFrom: 1 }),
    legend: [],
  };
}

/** Gives cells outside the mask the outside slot. */
export function masked(slots: Uint8Array, mask: MaskColumn | undefined): Uint8Array {
  if (mask === undefined) return slots;
  return slots.map((slot, cell) => ((mask.bits[cell >> 3]! >> (cell & 7)) & 1 ? slot : outsideSlot));
}

/** Cells of one category of a column and their number in the figure; all others become outside. */
export function partOfCategory(
  slots: Uint8Array,
  codes: Uint8Array | Uint16Array,
  category: number,
): { slots: Uint8Array; cells: number } {
  const part = new Uint8Array(slots.length).fill(outsideSlot);
  let cells = 0;
  for (let cell = 0; cell < slots.length; cell++) {
    const slot = slots[cell]!;
    if (codes[cell] !== category + 1 || slot === outsideSlot) continue;
    part[cell] = slot;
    cells++;
  }
  return { slots: part, cells };
}

/** `drawsOutside`: whether cells outside the figure are drawn, as a silhouette. */
export function groupPalette(
  { colours: { outside } }: GroupFigure,
  { legend }: MapSlots,
  { hidden = [] }: CardLook,
  drawsOutside: boolean,
): Layer['palette'] {
  const shown = legend.filter(({ key }) => !hidden.includes(key));
  return slotPalette([
    ...shown.map(({ slot, colour }) => [slot, rgbOf(colour)] as const),
    ...(drawsOutside ? [[outsideSlot, rgbOf(outside)] as const] : []),
  ]);
}

export function valuePalette(
  { colours: { ramp, zero, outside } }: RangeFigure,
  column: LevelColumn,
  { range, log = false }: { range: readonly [number, number]; log?: boolean | undefined },
  drawsOutside: boolean,
): Layer['palette'] {
  return rangePalette(ramp.map(rgbOf), column.values, {
    range,
    log,
    missing: rgbOf(outside),
    ...(zero !== undefined && { zero: rgbOf(zero) }),
    ...(drawsOutside && { outside: rgbOf(outside) }),
  });
}

/** `#rrggbb` as three bytes. */
export function rgbOf(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Cells per level, for percentiles and the histogram of a colour bar; cells outside are left out. */
export function cellsByLevel(slots: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256);
  for (let cell = 0; cell < slots.length; cell++) counts[slots[cell]!]!++;
  return counts;
}

/**
 * Value of the level that the given share (0 to 1) of the cells with a value does not exceed; for genes, of the cells
 * that express them. `counts` comes from `cellsByLevel`.
 */
export function percentileOf({ values }: LevelColumn, counts: Uint32Array, share: number): number {
  const order = Array.from({ length: 254 }, (_, at) => at + 1)
    .filter((level) => counts[level]! > 0)
    .sort((a, b) => values[a]! - values[b]!);
  const all = order.reduce((sum, level) => sum + counts[level]!, 0);
  let cumulative = 0;
  for (const level of order) {
    cumulative += counts[level]!;
    if (cumulative >= share * all) return values[level]!;
  }
  return 0;
}
