import type { GeneColumn } from '@cellfolio/model';

/**
 * The least expressed of several genes in each cell: 0 where one of them is not stored, as that is its value there.
 * @param genes at least one, of the same cells, whose stored cells rise
 */
export function leastExpressed(genes: readonly GeneColumn[]): GeneColumn {
  const [first, ...others] = genes as readonly [GeneColumn, ...GeneColumn[]];
  return others.reduce(lesser, first);
}

function lesser(one: GeneColumn, other: GeneColumn): GeneColumn {
  const room = Math.min(one.cells.length, other.cells.length);
  const cells = new Int32Array(room);
  const values = new Float32Array(room);
  let [i, j, count] = [0, 0, 0];
  while (i < one.cells.length && j < other.cells.length) {
    const [a, b] = [one.cells[i]!, other.cells[j]!];
    if (a < b) i++;
    else if (b < a) j++;
    else {
      cells[count] = a;
      // NaN of either stays NaN.
      values[count++] = Math.min(one.values[i++]!, other.values[j++]!);
    }
  }
  return { cellCount: one.cellCount, cells: cells.subarray(0, count), values: values.subarray(0, count) };
}
