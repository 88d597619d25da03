import { unpackStrings } from '@cellfolio/model';
import type { GeneIndex } from '@cellfolio/store';
import { placeOf } from '../catalogue/index.ts';

/** Genes of one dataset: ascending numbers of their names, and the row in var of each. */
interface GeneRows {
  numbers: Int32Array;
  rows: Int32Array;
}

export interface GeneRow {
  row: number;
  symbol: string;
}

/** Numbers for gene names, each name stored once for all datasets. */
export class GeneNames {
  readonly #names: string[] = [];
  readonly #numberOf = new Map<string, number>();
  /** Numbers of names that differ only in case, keyed by upper-case name. */
  readonly #folded = new Map<string, number[]>();

  get names(): readonly string[] {
    return this.#names;
  }

  /** The genes of a dataset by symbol and by id; for duplicate names the first row counts. */
  rowsOf({ symbols, ids }: Pick<GeneIndex, 'symbols' | 'ids'>): GeneRows {
    const rowByNumber = new Map<number, number>();
    for (const names of [symbols, ...ids.map(unpackStrings)]) {
      for (const [row, name] of names.entries()) {
        if (name === '') continue;
        const number = this.#number(name);
        if (!rowByNumber.has(number)) rowByNumber.set(number, row);
      }
    }
    const numbers = Int32Array.from(rowByNumber.keys()).sort();
    return { numbers, rows: Int32Array.from(numbers, (number) => rowByNumber.get(number) ?? 0) };
  }

  /** Numbers that match a name: exact case first, then any case. */
  #meanings(name: string): readonly number[] {
    const exact = this.#numberOf.get(name);
    const folded = this.#folded.get(name.toUpperCase()) ?? [];
    return exact === undefined ? folded : [exact, ...folded.filter((number) => number !== exact)];
  }

  /** The first matching name that a dataset has, with its row, or undefined. */
  rowIn({ numbers, rows }: GeneRows, name: string): GeneRow | undefined {
    for (const number of this.#meanings(name)) {
      const at = placeOf(numbers, number);
      if (at !== undefined) return { row: rows[at]!, symbol: this.#names[number]! };
    }
    return undefined;
  }

  #number(name: string): number {
    const existing = this.#numberOf.get(name);
    if (existing !== undefined) return existing;
    const number = this.#names.push(name) - 1;
    this.#numberOf.set(name, number);
    const folded = this.#folded.get(name.toUpperCase());
    if (folded) folded.push(number);
    else this.#folded.set(name.toUpperCase(), [number]);
    return number;
  }
}
