import type { LegendGroup } from '../drawing/figure.ts';
import { pairLevels, pairShade } from './levels.ts';

interface CountedPair {
  readonly first: { readonly label: string; readonly expressing: number };
  readonly second: { readonly label: string; readonly expressing: number };
  readonly both: number;
  readonly neither: number;
  readonly colours: { readonly shades: readonly string[] };
}

/** Which cells have both, one or none. */
export function pairGroups({ first, second, both, neither, colours }: CountedPair): LegendGroup[] {
  const most = pairLevels - 1;
  const colour = (a: number, b: number): string => colours.shades[pairShade(a, b)]!;
  return [
    { label: 'Both', cells: both, colour: colour(most, most) },
    { label: `${first.label} alone`, cells: first.expressing - both, colour: colour(most, 0) },
    { label: `${second.label} alone`, cells: second.expressing - both, colour: colour(0, most) },
    { label: 'Neither', cells: neither, colour: colour(0, 0) },
  ];
}
