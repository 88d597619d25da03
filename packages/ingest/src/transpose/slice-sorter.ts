import type { ScatterTask } from './gene-passes.ts';
import { LogNormaliser } from './log-normalise.ts';
import type { RowSlice } from './row-slice.ts';

/**
 * Brings the entries of a block of genes from rows to their places. Written one by one, entries of
 * consecutive genes would each go to a page of its own, and looking that up costs more than all else; so
 * a slice is sorted by gene in a buffer that the cache holds, and each gene's run of it is then written.
 * Values are moved as the integers that their bits are, which is cheaper than as floats.
 */
export class SliceSorter {
  /** Cell and value in turn: both go to one cache line. */
  readonly #pairs: Int32Array;
  readonly #pairValues: Float32Array;
  readonly #ends: Uint32Array;
  readonly #normaliser = new LogNormaliser();
  #low = new Uint32Array(0);
  #high = new Uint32Array(0);

  constructor(capacity: number, geneCount: number) {
    this.#pairs = new Int32Array(capacity * 2);
    this.#pairValues = new Float32Array(this.#pairs.buffer);
    this.#ends = new Uint32Array(geneCount + 1);
  }

  /** `next` has the place of the next entry of each gene of the matrix, and is moved on. Genes must rise in rows. */
  sort(slice: RowSlice, task: ScatterTask, next: Uint32Array): void {
    this.#count(slice, task);
    if (task.normalise) this.#collectNormalised(slice, task);
    else this.#collect(slice);
    this.#copyRuns(task, next);
  }

  /** Finds the block's entries in each row, and the place of each gene in the sorted slice. */
  #count({ indices, bits, rowStart }: RowSlice, { firstGene, endGene }: ScatterTask): void {
    const rowCount = rowStart.length - 1;
    if (this.#low.length < rowCount) {
      this.#low = new Uint32Array(rowCount);
      this.#high = new Uint32Array(rowCount);
    }
    const lows = this.#low;
    const highs = this.#high;
    // While sorting, a gene's element is the place of its next entry: at last where the next gene begins.
    const ends = this.#ends.fill(0, firstGene, endGene + 1);
    for (let row = 0; row < rowCount; row++) {
      const until = rowStart[row + 1]!;
      const low = lowerBound(indices, rowStart[row]!, until, firstGene);
      const high = lowerBound(indices, low, until, endGene);
      lows[row] = low;
      highs[row] = high;
      // Without the sign: -0 is no value either.
      for (let i = low; i < high; i++) if (bits[i]! << 1 !== 0) ends[indices[i]! + 1]!++;
    }
    for (let gene = firstGene; gene < endGene; gene++) ends[gene + 1]! += ends[gene]!;
  }

  #collect({ indices, bits, rowStart, firstCell }: RowSlice): void {
    const rowCount = rowStart.length - 1;
    const next = this.#ends;
    const lows = this.#low;
    const highs = this.#high;
    const pairs = this.#pairs;
    for (let row = 0; row < rowCount; row++) {
      const high = highs[row]!;
      const cell = firstCell + row;
      for (let i = lows[row]!; i < high; i++) {
        const value = bits[i]!;
        if (value << 1 === 0) continue;
        const to = next[indices[i]!]!++ << 1;
        pairs[to] = cell;
        pairs[to + 1] = value;
      }
    }
  }

  #collectNormalised({ indices, values, rowStart, firstCell }: RowSlice, { totals }: ScatterTask): void {
    const rowCount = rowStart.length - 1;
    const next = this.#ends;
    const lows = this.#low;
    const highs = this.#high;
    const pairs = this.#pairs;
    const pairValues = this.#pairValues;
    const normaliser = this.#normaliser;
    for (let row = 0; row < rowCount; row++) {
      const high = highs[row]!;
      const cell = firstCell + row;
      normaliser.startCell(totals[cell]!);
      for (let i = lows[row]!; i < high; i++) {
        const value = values[i]!;
        if (value === 0) continue;
        const to = next[indices[i]!]!++ << 1;
        pairs[to] = cell;
        pairValues[to + 1] = normaliser.value(value);
      }
    }
  }

  #copyRuns({ firstGene, endGene, cells, valueBits }: ScatterTask, next: Uint32Array): void {
    const ends = this.#ends;
    const pairs = this.#pairs;
    let from = 0;
    for (let gene = firstGene; gene < endGene; gene++) {
      const end = ends[gene]! << 1;
      let to = next[gene]!;
      for (; from < end; from += 2) {
        cells[to] = pairs[from]!;
        valueBits[to++] = pairs[from + 1]!;
      }
      next[gene] = to;
    }
  }
}

/** First place in the rising [from, to) that is not below `value`; `to` where all are. */
function lowerBound(rising: Int32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
