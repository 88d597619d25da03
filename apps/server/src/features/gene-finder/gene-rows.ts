import { unpackStrings } from '@cellfolio/model';
import type { GeneIndex } from '@cellfolio/store';
import { placeOf } from '../catalogue/index.ts';

/** Genes of one dataset: numbers of their names, rising, and the row in var of each. */
interface GeneRows {
  readonly numbers: Int32Array;
  readonly rows: Int32Array;
}

/** A gene in a dataset, by the name of the dataset that fits. */
export interface GeneRow {
  readonly row: number;
  readonly symbol: string;
}

/** Names of genes by number, each kept once for all datasets. */
export class GeneNames {
  readonly #names: string[] = [];
  readonly #numberOf = new Map<string, number>();
  /** Numbers of the names that differ in their case alone. */
  readonly #folded = new Map<string, number[]>();

  /** Of all datasets so far. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** The genes of a dataset by symbol and by id; of names that repeat, the first row counts. */
  rowsOf({ symbols, ids }: Pick<GeneIndex, 'symbols' | 'ids'>): GeneRows {
    const found = new Map<number, number>();
    for (const names of [symbols, ...ids.map(unpackStrings)]) {
      for (const [row, name] of names.entries()) {
        if (name === '') continue;
        const number = this.#number(name);
        if (!found.has(number)) found.set(number, row);
      }
    }
    const numbers = Int32Array.from(found.keys()).sort();
    return { numbers, rows: Int32Array.from(numbers, (number) => found.get(number) ?? 0) };
  }

  /** Numbers that a name may mean: in its exact case first, then in whatever case. */
  #meanings(name: string): readonly number[] {
    const exact = this.#numberOf.get(name);
    const folded = this.#folded.get(name.toUpperCase()) ?? [];
    return exact === undefined ? folded : [exact, ...folded.filter((number) => number !== exact)];
  }

  /** First of the names that a dataset has, with its row, or undefined. */
  rowIn({ numbers, rows }: GeneRows, name: string): GeneRow | undefined {
    for (const number of this.#meanings(name)) {
      const at = placeOf(numbers, number);
      if (at !== undefined) return { row: rows[at]!, symbol: this.#names[number]! };
    }
    return undefined;
  }

  #number(name: string): number {
    const known = this.#numberOf.get(name);
    if (known !== undefined) return known;
    const number = this.#names.push(name) - 1;
    this.#numberOf.set(name, number);
    const folded = this.#folded.get(name.toUpperCase());
    if (folded) folded.push(number);
    else this.#folded.set(name.toUpperCase(), [number]);
    return number;
  }
}
