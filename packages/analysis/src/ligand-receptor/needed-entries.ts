import { sharedCopy } from '@cellfolio/model';

/**
 * Values of a few genes in the compared cells, cell-major: 6 bytes per entry. Cell-major order keeps sums by group in
 * few places at a time, whatever the labels. Plain arrays in shared memory, which can be sent to threads.
 */
export interface NeededEntries {
  readonly cellCount: number;
  readonly geneCount: number;
  /** Index of each cell's first entry, then the total number: cellCount + 1. */
  readonly starts: Uint32Array;
  /** Index of the gene among the needed ones. */
  readonly genes: Uint16Array;
  readonly values: Float32Array;
}

/** Gene indices have 16 bits; no list of pairs names as many genes. */
const maxGenes = 65_536;

export class TooManyValues extends Error {
  override readonly name = 'TooManyValues';
  readonly count: number;

  constructor(count: number, maximum: number) {
    super(`${count} values are more than ${maximum}`);
    this.count = count;
  }
}

/**
 * Reorders gene entries by cell. They are passed twice, gene after gene: first counted, then taken, so that nothing
 * unneeded is held.
 */
export class EntryCollector {
  /** Per cell of the dataset, its index among the compared ones; −1 for others. */
  readonly #placeOf: Int32Array;
  readonly #geneCount: number;
  readonly #starts: Uint32Array;
  #taken:
    | { readonly next: Uint32Array; readonly genes: Uint16Array; readonly values: Float32Array }
    | undefined;

  /** `size`: numbers of compared cells and of genes. Throws RangeError for more genes than 16-bit indices allow. */
  constructor(placeOf: Int32Array, size: { cells: number; genes: number }) {
    if (size.genes > maxGenes) throw new RangeError(`${size.genes} genes are more than ${maxGenes}`);
    this.#placeOf = placeOf;
    this.#geneCount = size.genes;
    this.#starts = new Uint32Array(size.cells + 1);
  }

  count(cells: Int32Array, values: Float32Array): void {
    for (let i = 0; i < cells.length; i++) {
      const place = this.#placeOf[cells[i]!]!;
      if (place >= 0 && isExpression(values[i]!)) this.#starts[place + 1]!++;
    }
  }

  /** Ends the counting. Throws TooManyValues if there are more than `maximum` entries. */
  counted(maximum: number): void {
    const starts = this.#starts;
    const count = starts.reduce((sum, ofCell) => sum + ofCell, 0);
    if (count > maximum) throw new TooManyValues(count, maximum);
    for (let cell = 0; cell + 1 < starts.length; cell++) starts[cell + 1]! += starts[cell]!;
    this.#taken = {
      next: starts.slice(),
      genes: new Uint16Array(new SharedArrayBuffer(count * 2)),
      values: new Float32Array(new SharedArrayBuffer(count * 4)),
    };
  }

  take(gene: number, cells: Int32Array, values: Float32Array): void {
    const { next, genes, values: entryValues } = this.#taken!;
    for (let i = 0; i < cells.length; i++) {
      const place = this.#placeOf[cells[i]!]!;
      const value = values[i]!;
      if (place < 0 || !isExpression(value)) continue;
      const to = next[place]!++;
      genes[to] = gene;
      entryValues[to] = value;
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

/** NaN does not count as expression. */
function isExpression(value: number): boolean {
  return value !== 0 && !Number.isNaN(value);
}
