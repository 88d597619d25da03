import type { CellMask } from '@cellfolio/model';

/**
 * The combination of sets that each cell is in: bit k of a byte for the k-th set, at most eight. An absent set is all
 * cells. Throws RangeError for more, or for masks of other lengths.
 */
export function setCombinations(sets: readonly (CellMask | undefined)[], cellCount: number): Uint8Array {
  if (sets.length > 8) throw new RangeError(`${sets.length} sets do not fit the eight bits of a byte.`);
  const combinations = new Uint8Array(cellCount);
  sets.forEach((set, place) => {
    const bit = 1 << place;
    if (set === undefined) {
      for (let cell = 0; cell < cellCount; cell++) combinations[cell]! |= bit;
      return;
    }
    const { bits } = set;
    if (bits.length !== cellCount) {
      throw new RangeError(`A mask of ${bits.length} cells does not fit ${cellCount} cells.`);
    }
    for (let cell = 0; cell < cellCount; cell++) combinations[cell]! |= bits[cell]! << place;
  });
  return combinations;
}

/** Cells of each of the 2^n combinations of n sets, by its bits. */
export function combinationCounts(combinations: Uint8Array, sets: number): Uint32Array {
  const counts = new Uint32Array(2 ** sets);
  for (let cell = 0; cell < combinations.length; cell++) counts[combinations[cell]!]!++;
  return counts;
}
