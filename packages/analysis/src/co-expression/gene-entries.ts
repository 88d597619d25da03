import type { CountBlock } from '@cellfolio/model';
import type { GeneEntries } from './gene-model.ts';

export class EntriesReader implements GeneEntries {
  count = 0;
  readonly places: Int32Array;
  readonly values: Float64Array;
  readonly #placeOf: Int32Array;

  /** `placeOf`: index in the graph of each cell of the dataset; −1 for none. */
  constructor(placeOf: Int32Array, graphCells: number) {
    this.#placeOf = placeOf;
    this.places = new Int32Array(graphCells);
    this.values = new Float64Array(graphCells);
  }

  /** Reads the gene at index `gene` of the block. Throws RangeError for genes of other cells. */
  read(block: CountBlock, gene: number): void {
    if (block.cellCount !== this.#placeOf.length) {
      throw new RangeError(
        `a graph of ${this.#placeOf.length} cells does not fit genes of ${block.cellCount}`,
      );
    }
    this.count = 0;
    for (let at = block.starts[gene]!; at < block.starts[gene + 1]!; at++) {
      const place = this.#placeOf[block.cells[at]!]!;
      const value = block.values[at]!;
      if (place < 0 || value === 0) continue;
      this.places[this.count] = place;
      this.values[this.count++] = value;
    }
  }
}

/** Adds the values of consecutive genes to the totals of the cells that have a place; without places all cells have their own. */
export function addToTotals(block: CountBlock, placeOf: Int32Array | undefined, totals: Float64Array): void {
  const { cells, values, starts } = block;
  const end = starts.at(-1)!;
  for (let at = starts[0]!; at < end; at++) {
    const place = placeOf ? placeOf[cells[at]!]! : cells[at]!;
    if (place >= 0) totals[place]! += values[at]!;
  }
}
