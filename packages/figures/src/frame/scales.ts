export type Domain = readonly [low: number, high: number];

/** Maps a value of an axis to CSS pixels: a number, or the place of a row or column, which is NaN without room for it. */
export interface Scale {
  (value: number): number;
  /** Height of a row or width of a column; 0 for numbers. */
  readonly band: number;
}

/** Linear unless `place` bends it. All values of a domain without width are at its start. */
export function numberScale(
  [low, high]: Domain,
  [start, end]: Domain,
  place?: (value: number) => number,
): Scale {
  const [first, last] = place ? [place(low), place(high)] : [low, high];
  const [span, length] = [last - first, end - start];
  const at = (placed: number): number => start + (span > 0 ? ((placed - first) / span) * length : 0);
  return Object.assign(place ? (value: number) => at(place(value)) : at, { band: 0 });
}

/** Rows or columns by their place among all, with the middle of each that has room. */
export function bandScale(shownRows: readonly number[], middles: readonly number[], band: number): Scale {
  const middleOf = new Map(shownRows.map((place, i) => [place, middles[i]!]));
  return Object.assign((place: number): number => middleOf.get(place) ?? Number.NaN, { band });
}

/** The range of the values, widened at both ends by a part of its span. */
export function widened(values: readonly number[], part: number): [low: number, high: number] {
  const low = values.reduce((lowest, value) => Math.min(lowest, value), Infinity);
  const high = values.reduce((highest, value) => Math.max(highest, value), -Infinity);
  if (low > high) return [0, 1];
  const more = part * (high - low) || 0.5;
  return [low - more, high + more];
}
