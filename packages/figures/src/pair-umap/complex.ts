import type { GeneColumn } from '@cellfolio/model';

/**
 * Minimum of several genes in each cell: 0 if one of them is not stored there. `genes`: at least one, of the same
 * cells, with ascending stored cells.
 */
export function lowestExpressed(genes: readonly GeneColumn[]): GeneColumn {
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
