/**
 * How scanpy 1.11 scales the dots of its dot plots (`sc.pl.DotPlot`), so that a figure of ours and one of
 * theirs of the same numbers say the same. Fractions are 0 to 1.
 */

/** Areas grow with this power of the fraction (`size_exponent`). */
const AREA_EXPONENT = 1.5;

/** Fraction of the largest dot: the greatest, rounded up to a tenth. */
export function dotMaxOf(greatest: number): number {
  return Math.ceil(greatest * 10) / 10;
}

/** Area of a dot as part of the area of the largest. */
export function dotArea(fraction: number, dotMax: number): number {
  if (!(dotMax > 0)) return 0;
  return Math.min(1, Math.max(0, fraction / dotMax)) ** AREA_EXPONENT;
}

/** Fractions shown in the legend, rising to `dotMax`: in steps of 0.2, of less where the range is small. */
export function legendFractions(dotMax: number): number[] {
  const step = dotMax > 0.6 ? 0.2 : dotMax > 0.3 ? 0.1 : 0.05;
  const count = Math.ceil(Number((dotMax / step).toFixed(9)));
  return Array.from({ length: count }, (_, i) => Number((dotMax - (count - 1 - i) * step).toFixed(9)));
}
