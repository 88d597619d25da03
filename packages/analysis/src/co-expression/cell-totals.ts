import type { GeneBlock } from '@cellfolio/model';

/** Adds the values of consecutive genes to the totals of the cells that have a place. */
export function addToTotals(block: GeneBlock, placeOf: Int32Array, totals: Float64Array): void {
  const { cells, values } = block;
  for (let at = block.starts[0]!; at < block.starts.at(-1)!; at++) {
    const place = placeOf[cells[at]!]!;
    if (place >= 0) totals[place]! += values[at]!;
  }
}
