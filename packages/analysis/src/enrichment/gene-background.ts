/** Genes that could have been drawn, numbered; matching ignores case. */
export class GeneBackground {
  /** Spelled as in the dataset; if several are one gene to a library, the first. */
  readonly genes: readonly string[];
  readonly #numbers = new Map<string, number>();
  /** Numbers by the dataset's gene names; undefined if they are the same. */
  readonly #own: Map<string, number> | undefined;

  /**
   * `symbols`: as in the dataset. `keys`: the libraries' names of them if different, such as orthologues; symbols with
   * the same key are one gene. `libraryOnly`: number of trailing symbols that only the library has; no gene of the
   * dataset matches them even by the same name, because its orthologue is another gene or none.
   */
  constructor(symbols: readonly string[], keys?: readonly string[], libraryOnly = 0) {
    const ownCount = symbols.length - libraryOnly;
    const genes: string[] = [];
    this.#own = keys && new Map();
    for (let i = 0; i < symbols.length; i++) {
      const symbol = symbols[i]!;
      const key = (keys?.[i] ?? symbol).toUpperCase();
      let number = this.#numbers.get(key);
      if (number === undefined) {
        number = genes.length;
        this.#numbers.set(key, number);
        genes.push(symbol);
      }
      if (this.#own && i < ownCount && !this.#own.has(symbol.toUpperCase())) {
        this.#own.set(symbol.toUpperCase(), number);
      }
    }
    this.genes = genes;
  }

  numberOf(gene: string): number | undefined {
    return this.#numbers.get(gene.toUpperCase());
  }

  /** Index in `genes` by the dataset's name; the same name in a library of another species is another gene. */
  numberOfOwn(symbol: string): number | undefined {
    return (this.#own ?? this.#numbers).get(symbol.toUpperCase());
  }

  /** Index in `genes`, by a name of the dataset or else of the library. */
  find(gene: string): number | undefined {
    return this.numberOfOwn(gene) ?? this.numberOf(gene);
  }
}
