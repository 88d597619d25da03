import type { LegendGroup } from '../drawing/figure.ts';

/**
 * Levels of each side, the first for cells without expression: the 49 combined colours, with four coverage steps each,
 * fit into the 256 indices of an indexed image.
 */
export const pairLevels = 7;

/** 0 without expression, else 1 to `pairLevels` - 1: equal steps up to `high`. */
export function pairLevel(value: number, high: number): number {
  // Also false of NaN.
  if (!(value > 0)) return 0;
  const steps = pairLevels - 1;
  return value >= high ? steps : 1 + Math.min(steps - 1, Math.floor((value / high) * steps));
}

export function pairShade(first: number, second: number): number {
  return first * pairLevels + second;
}

interface CountedPair {
  first: { label: string; expressing: number };
  second: { label: string; expressing: number };
  both: number;
  neither: number;
  colours: { shades: readonly string[] };
}

export function pairGroups({ first, second, both, neither, colours }: CountedPair): LegendGroup[] {
  const maxLevel = pairLevels - 1;
  const colour = (a: number, b: number): string => colours.shades[pairShade(a, b)]!;
  return [
    { label: 'Both', cells: both, colour: colour(maxLevel, maxLevel) },
    { label: `${first.label} alone`, cells: first.expressing - both, colour: colour(maxLevel, 0) },
    { label: `${second.label} alone`, cells: second.expressing - both, colour: colour(0, maxLevel) },
    { label: 'Neither', cells: neither, colour: colour(0, 0) },
  ];
}
