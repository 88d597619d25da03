/** Consecutive genes [from, to), by row in var. */
export interface GeneRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts the genes [from, to) into ranges of at most `maxEntries` entries each, to be read one after the other with
 * bounded memory. A gene with more entries than that is a range of its own. Every gene is in one range, those
 * without entries too. `valueStarts` are the rising entry positions of a dataset. Throws RangeError.
 */
export function geneBlocks(
  valueStarts: Float64Array,
  maxEntries: number,
  from = 0,
  to = valueStarts.length - 1,
): GeneRange[] {
  if (!(maxEntries >= 1)) throw new RangeError(`a block cannot have ${maxEntries} entries at most`);
  if (!(
    Number.isInteger(from) &&
    Number.isInteger(to) &&
    0 <= from &&
    from <= to &&
    to < valueStarts.length
  )) {
    throw new RangeError(`there are no genes ${from} to ${to} among ${valueStarts.length - 1}`);
  }
  const blocks: GeneRange[] = [];
  for (let first = from; first < to;) {
    let end = first + 1;
    while (end < to && valueStarts[end + 1]! - valueStarts[first]! <= maxEntries) end++;
    blocks.push({ from: first, to: end });
    first = end;
  }
  return blocks;
}
