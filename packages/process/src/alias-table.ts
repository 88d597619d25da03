/** A draw yields its own index below `keep`, and `other` from there on. */
export interface AliasTable {
  readonly keep: Float64Array;
  readonly other: Int32Array;
}

/**
 * Alias table for weighted draws with one look-up: all indices are equally likely, `keep` is the share that stays, and
 * the rest goes to `other` (Walker 1977, doi:10.1145/355744.355749; built as in Vose 1991, doi:10.1109/32.92917).
 * `weights`: not negative, at least one above 0.
 */
export function aliasTable(weights: Float64Array): AliasTable {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const keep = weights.map((weight) => weight / mean);
  const other = Int32Array.from(keep.keys());
  const small: number[] = [];
  const large: number[] = [];
  keep.forEach((share, place) => (share < 1 ? small : large).push(place));
  while (small.length > 0 && large.length > 0) {
    const low = small.pop()!;
    const high = large.at(-1)!;
    other[low] = high;
    keep[high]! -= 1 - keep[low]!;
    if (keep[high]! < 1) small.push(large.pop()!);
  }
  // What is left differs from 1 by rounding only.
  for (const place of [...small, ...large]) keep[place] = 1;
  return { keep, other };
}
