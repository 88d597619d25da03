import type { CellMask } from '@cellfolio/model';

/** The cells that are in every mask. Throws RangeError if the masks are of different datasets, as their lengths tell. */
export function intersectMasks(first: CellMask, ...others: readonly CellMask[]): CellMask {
  if (others.length === 0) return first;
  const bits = first.bits.slice();
  for (const { bits: kept } of others) {
    if (kept.length !== bits.length) {
      throw new RangeError(`A mask of ${kept.length} cells does not fit one of ${bits.length}.`);
    }
    for (let i = 0; i < bits.length; i++) bits[i]! &= kept[i]!;
  }
  let count = 0;
  for (let i = 0; i < bits.length; i++) count += bits[i]!;
  return { bits, count };
}
