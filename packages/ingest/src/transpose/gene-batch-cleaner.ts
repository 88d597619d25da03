import { EntryOutOfRange, type SortedBatch, type ValueArray } from './sorted-batch.ts';
import { emptyStatistics, observe } from './value-statistics.ts';

/** Some consecutive genes of a matrix that is gene-major already. The arrays are overwritten. */
export interface GeneBatch {
  readonly firstGene: number;
  readonly geneCount: number;
  /** Entries of gene `firstGene + i` are [rowStart[i], rowStart[i + 1]). */
  readonly rowStart: ArrayLike<number>;
  /** Cells. */
  readonly indices: Int32Array;
  readonly values: ValueArray;
}

/**
 * Brings a gene-major batch into the form that is stored: cells rising, no explicit zeros, repeated
 * entries summed. With `totals` (counts of each cell) also the normalised expression. Throws EntryOutOfRange.
 */
export function cleanGeneBatch(
  batch: GeneBatch,
  cellCount: number,
  totals: Float64Array | undefined,
): SortedBatch {
  const { firstGene, geneCount, rowStart, indices: cells, values } = batch;
  const statistics = emptyStatistics();
  const end = rowStart[geneCount]!;
  observe(values, end, statistics);
  const geneStart = new Uint32Array(new SharedArrayBuffer((geneCount + 1) * 4));
  let to = 0;
  for (let gene = 0; gene < geneCount; gene++) {
    const from = rowStart[gene]!;
    const until = rowStart[gene + 1]!;
    let rising = true;
    let last = -1;
    for (let i = from; i < until; i++) {
      const cell = cells[i]!;
      if (cell >>> 0 >= cellCount) throw new EntryOutOfRange(i, cell, cellCount);
      if (cell <= last) rising = false;
      last = cell;
    }
    if (!rising) sortByCell(cells, values, from, until);
    const start = to;
    for (let i = from; i < until; i++) {
      const value = values[i]!;
      if (value === 0) continue;
      const cell = cells[i]!;
      if (to > start && cells[to - 1] === cell) {
        values[to - 1]! += value;
        statistics.duplicates++;
      } else {
        cells[to] = cell;
        values[to++] = value;
      }
    }
    geneStart[gene + 1] = to;
  }
  statistics.entries = to;
  if (totals === undefined) return { firstGene, geneStart, cells, values, statistics };
  const expression = new Float32Array(to);
  for (let i = 0; i < to; i++) expression[i] = Math.log1p((values[i]! * 1e4) / totals[cells[i]!]!);
  return { firstGene, geneStart, cells, values: expression, counts: values, statistics };
}

function sortByCell(cells: Int32Array, values: ValueArray, from: number, until: number): void {
  const order = Array.from({ length: until - from }, (_, i) => from + i).sort(
    (a, b) => cells[a]! - cells[b]! || a - b,
  );
  const sortedCells = order.map((i) => cells[i]!);
  const sortedValues = order.map((i) => values[i]!);
  cells.set(sortedCells, from);
  values.set(sortedValues, from);
}
