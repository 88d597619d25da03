/** The genes that could have been drawn, by number. Compared without regard to case. */
export class GeneBackground {
  /** As the dataset spells them; of several that are one gene to a library, the first. */
  readonly genes: readonly string[];
  /** Numbers by the names that libraries have for the genes. */
  readonly #numbers = new Map<string, number>();
  /** Numbers by the names that the dataset has; undefined where they are the same. */
  readonly #own: Map<string, number> | undefined;

  /**
   * @param symbols as the dataset has them
   * @param keys what libraries call each of them, where that is another name, such as that of an orthologue: symbols
   * with the same key are one gene
   * @param libraryOnly how many symbols, at the end, are names that only the library has: no gene of the dataset is
   * found by them, even where it is called the same, because its orthologue is another gene or none
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

  /** Position in `genes` of what a library calls so, or undefined for a gene that is not there. */
  numberOf(gene: string): number | undefined {
    return this.#numbers.get(gene.toUpperCase());
  }

  /** Position in `genes` of what the dataset calls so; the same name in a library of another species is another gene. */
  numberOfOwn(symbol: string): number | undefined {
    return (this.#own ?? this.#numbers).get(symbol.toUpperCase());
  }

  /** Position in `genes` of a gene that the dataset may lack: by a name of the dataset, or else of the library. */
  find(gene: string): number | undefined {
    return this.numberOfOwn(gene) ?? this.numberOf(gene);
  }
}
