import type { CategoricalColumn, CellMask } from '@cellfolio/model';

/**
 * Bitmask per cell of the sets that contain it: bit k for the k-th set, at most eight. An absent set contains all
 * cells. Throws RangeError for more sets, or for masks of other lengths.
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

/** Number of cells in each of the 2^n combinations of n sets, indexed by bitmask. */
export function combinationCounts(combinations: Uint8Array, sets: number): Uint32Array {
  const counts = new Uint32Array(2 ** sets);
  for (let cell = 0; cell < combinations.length; cell++) counts[combinations[cell]!]!++;
  return counts;
}

/**
 * Cells of each set in each category of a column, from the bitmasks of `setCombinations`: one row per category and a
 * last one for cells without, `counts[category * sets + set]`. Throws RangeError for a column of other cells.
 */
export function setComposition(
  combinations: Uint8Array,
  sets: number,
  { codes, categories }: Pick<CategoricalColumn, 'codes' | 'categories'>,
): Uint32Array {
  if (codes.length !== combinations.length) {
    throw new RangeError(`A column of ${codes.length} cells does not fit ${combinations.length} cells.`);
  }
  // Counted once for each cell, whatever the number of sets.
  const perCombination = new Uint32Array((categories.length + 1) * 2 ** sets);
  for (let cell = 0; cell < codes.length; cell++) {
    const code = codes[cell]!;
    perCombination[(code < 0 ? categories.length : code) * 2 ** sets + combinations[cell]!]!++;
  }
  const counts = new Uint32Array((categories.length + 1) * sets);
  for (let at = 0; at < perCombination.length; at++) {
    const row = Math.floor(at / 2 ** sets);
    const combination = at % 2 ** sets;
    for (let set = 0; set < sets; set++) {
      if ((combination >> set) & 1) counts[row * sets + set]! += perCombination[at]!;
    }
  }
  return counts;
}
