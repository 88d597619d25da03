import { sharedCopy } from '@cellfolio/model';

/**
 * The values of a few genes in the cells that are compared, cell by cell: 6 bytes an entry. Cell-major, so that sums by
 * group go to few places at a time, whatever the labels. Plain arrays in shared memory, fit to be sent to threads.
 */
export interface NeededEntries {
  readonly cellCount: number;
  readonly geneCount: number;
  /** Of each cell its first entry, and the number of all: cellCount + 1. */
  readonly starts: Uint32Array;
  /** Place of the gene among the needed ones. */
  readonly genes: Uint16Array;
  readonly values: Float32Array;
}

/** Places of genes have 16 bits; no list of pairs names as many. */
const maxGenes = 65_536;

/** Takes the entries of genes, gene after gene, and puts them in the order of the cells. */
export class EntryCollector {
  /** Of each cell of the dataset its place among those that are compared; −1 for the others. */
  readonly #placeOf: Int32Array;
  readonly #cellCount: number;
  readonly #geneCount: number;
  readonly #cells: Uint32Array;
  readonly #genes: Uint16Array;
  readonly #values: Float32Array;
  #count = 0;

  /**
   * @param most entries of the genes in all cells. Throws RangeError for more genes than have places.
   */
  constructor(placeOf: Int32Array, size: { cells: number; genes: number; most: number }) {
    if (size.genes > maxGenes) throw new RangeError(`${size.genes} genes are more than ${maxGenes}`);
    this.#placeOf = placeOf;
    this.#cellCount = size.cells;
    this.#geneCount = size.genes;
    this.#cells = new Uint32Array(size.most);
    this.#genes = new Uint16Array(size.most);
    this.#values = new Float32Array(size.most);
  }

  /** Cells of the dataset with their values of one gene. */
  add(gene: number, cells: Int32Array, values: Float32Array): void {
    const placeOf = this.#placeOf;
    let count = this.#count;
    for (let i = 0; i < cells.length; i++) {
      const place = placeOf[cells[i]!]!;
      const value = values[i]!;
      // NaN, too, is no expression.
      if (place < 0 || value === 0 || Number.isNaN(value)) continue;
      this.#cells[count] = place;
      this.#genes[count] = gene;
      this.#values[count] = value;
      count++;
    }
    this.#count = count;
  }

  /** The entries, by a counting sort over the cells. */
  entries(): NeededEntries {
    const [count, cellCount] = [this.#count, this.#cellCount];
    const starts = new Uint32Array(cellCount + 1);
    for (let i = 0; i < count; i++) starts[this.#cells[i]! + 1]!++;
    for (let cell = 0; cell < cellCount; cell++) starts[cell + 1]! += starts[cell]!;
    const next = starts.slice();
    const genes = new Uint16Array(new SharedArrayBuffer(count * 2));
    const values = new Float32Array(new SharedArrayBuffer(count * 4));
    for (let i = 0; i < count; i++) {
      const to = next[this.#cells[i]!]!++;
      genes[to] = this.#genes[i]!;
      values[to] = this.#values[i]!;
    }
    return { cellCount, geneCount: this.#geneCount, starts: sharedCopy(starts), genes, values };
  }
}
