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

/** More values than fit into memory beside the work of others. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues';
  readonly count: number;

  constructor(count: number, most: number) {
    super(`${count} values are more than ${most}`);
    this.count = count;
  }
}

/**
 * Puts the entries of genes in the order of the cells. They are handed in twice, gene after gene: first to be counted,
 * then to be taken, so that nothing is held that is not needed in the end.
 */
export class EntryCollector {
  /** Of each cell of the dataset its place among those that are compared; −1 for the others. */
  readonly #placeOf: Int32Array;
  readonly #geneCount: number;
  readonly #starts: Uint32Array;
  #taken:
    | { readonly next: Uint32Array; readonly genes: Uint16Array; readonly values: Float32Array }
    | undefined;

  /** @param size numbers of cells that are compared and of genes. Throws RangeError for more genes than have places. */
  constructor(placeOf: Int32Array, size: { cells: number; genes: number }) {
    if (size.genes > maxGenes) throw new RangeError(`${size.genes} genes are more than ${maxGenes}`);
    this.#placeOf = placeOf;
    this.#geneCount = size.genes;
    this.#starts = new Uint32Array(size.cells + 1);
  }

  /** Counts the entries of a gene. */
  count(cells: Int32Array, values: Float32Array): void {
    for (let i = 0; i < cells.length; i++) {
      const place = this.#placeOf[cells[i]!]!;
      if (place >= 0 && isExpression(values[i]!)) this.#starts[place + 1]!++;
    }
  }

  /** Ends the counting. Throws TooManyValues. */
  counted(most: number): void {
    const starts = this.#starts;
    const count = starts.reduce((sum, ofCell) => sum + ofCell, 0);
    if (count > most) throw new TooManyValues(count, most);
    for (let cell = 0; cell + 1 < starts.length; cell++) starts[cell + 1]! += starts[cell]!;
    this.#taken = {
      next: starts.slice(),
      genes: new Uint16Array(new SharedArrayBuffer(count * 2)),
      values: new Float32Array(new SharedArrayBuffer(count * 4)),
    };
  }

  /** Takes the entries of a gene, by its place among the needed ones; all of them were counted. */
  take(gene: number, cells: Int32Array, values: Float32Array): void {
    const { next, genes, values: taken } = this.#taken!;
    for (let i = 0; i < cells.length; i++) {
      const place = this.#placeOf[cells[i]!]!;
      const value = values[i]!;
      if (place < 0 || !isExpression(value)) continue;
      const to = next[place]!++;
      genes[to] = gene;
      taken[to] = value;
    }
  }

  entries(): NeededEntries {
    const { genes, values } = this.#taken!;
    return {
      cellCount: this.#starts.length - 1,
      geneCount: this.#geneCount,
      starts: sharedCopy(this.#starts),
      genes,
      values,
    };
  }
}

/** NaN is none. */
function isExpression(value: number): boolean {
  return value !== 0 && !Number.isNaN(value);
}
