/** Checks the rows of a gene-major matrix block by block: within each gene they rise, below cellCount. */
export class SortedIndexCheck {
  readonly #indptr: Float64Array;
  readonly #cellCount: number;
  #position: number;
  #gene = 0;
  #previous = -1;

  /** `position`: entry to begin with, the first of a gene. */
  constructor(indptr: Float64Array, cellCount: number, position = 0) {
    this.#indptr = indptr;
    this.#cellCount = cellCount;
    this.#position = position;
  }

  /** Fault of the next entries, which must not exceed those announced by indptr; undefined for none. */
  fault(cells: Int32Array): string | undefined {
    const indptr = this.#indptr;
    const cellCount = this.#cellCount;
    let position = this.#position;
    let gene = this.#gene;
    let previous = this.#previous;
    for (let i = 0; i < cells.length;) {
      while (position >= indptr[gene + 1]!) {
        gene++;
        previous = -1;
      }
      const end = Math.min(cells.length, i + indptr[gene + 1]! - position);
      position += end - i;
      for (; i < end; i++) {
        const cell = cells[i]!;
        if (cell <= previous || cell >= cellCount) {
          return `gene ${gene} has cell ${cell} after ${previous}; cells must rise, below ${cellCount}`;
        }
        previous = cell;
      }
    }
    this.#position = position;
    this.#gene = gene;
    this.#previous = previous;
    return undefined;
  }
}
