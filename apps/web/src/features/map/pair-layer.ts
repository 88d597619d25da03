import type { LevelColumn, MaskColumn } from '@cellfolio/columns';
import type { FigureContent, MapFigure } from '@cellfolio/contract';
import type { Layer } from '@cellfolio/map';
import { outsideSlot, slotPalette } from '@cellfolio/map';
import { pairLevel, pairShade } from '@cellfolio/figures/content';
import type { ValueSource } from './map-columns.ts';
import { masked, type MapSlots, rgbOf } from './map-layer.ts';

export type PairFigure = Extract<MapFigure, { first: unknown }>;

export interface PairSources {
  first: readonly ValueSource[];
  second: readonly ValueSource[];
}

export function pairSourcesOf(content: FigureContent): PairSources | undefined {
  if (content.kind !== 'pair-umap') return undefined;
  const sources = (genes: readonly string[]) => genes.map((name) => ({ from: 'gene', name }) as const);
  return { first: sources(content.first), second: sources(content.second) };
}

/** Cells by both colours; those that express either are on top. */
export function pairSlots(
  { first, second }: PairFigure,
  columns: { first: readonly LevelColumn[]; second: readonly LevelColumn[] },
  mask: MaskColumn | undefined,
): MapSlots {
  const [levels, others] = [levelsOf(columns.first, first.high), levelsOf(columns.second, second.high)];
  const slots = levels.map((level, cell) => pairShade(level, others[cell]!));
  return { slots: masked(slots, mask), onTopFrom: 1, legend: [] };
}

/** A complex has the level of its least expressed subunit. */
function levelsOf(columns: readonly LevelColumn[], high: number): Uint8Array {
  const [first, ...others] = columns as readonly [LevelColumn, ...LevelColumn[]];
  if (others.length === 0) {
    const levelOf = Uint8Array.from(first.values, (value) => pairLevel(value, high));
    return first.levels.map((level) => levelOf[level]!);
  }
  return first.levels.map((level, cell) => {
    let minimum = first.values[level]!;
    for (const { values, levels } of others) minimum = Math.min(minimum, values[levels[cell]!]!);
    return pairLevel(minimum, high);
  });
}

export function pairPalette({ colours }: PairFigure, drawsOutside: boolean): Layer['palette'] {
  const shades = colours.shades.map((colour, slot) => [slot, rgbOf(colour)] as const);
  return slotPalette([...shades, ...(drawsOutside ? [[outsideSlot, rgbOf(colours.outside)] as const] : [])]);
}
