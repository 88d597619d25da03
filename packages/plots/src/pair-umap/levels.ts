/**
 * Levels of each of the two, the first of cells that do not express it: the 49 colours of both, four steps of coverage
 * each, fit into the 256 places of an indexed image.
 */
export const pairLevels = 7;

/** @returns 0 where there is no expression, else 1 to `pairLevels` - 1: equal steps up to `high` */
export function pairLevel(value: number, high: number): number {
  // Also false of NaN.
  if (!(value > 0)) return 0;
  const steps = pairLevels - 1;
  return value >= high ? steps : 1 + Math.min(steps - 1, Math.floor((value / high) * steps));
}

/** Place of the colour of two levels. */
export function pairShade(first: number, second: number): number {
  return first * pairLevels + second;
}
