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
   */
  constructor(symbols: readonly string[], keys?: readonly string[]) {
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
      if (this.#own && !this.#own.has(symbol.toUpperCase())) this.#own.set(symbol.toUpperCase(), number);
    }
    this.genes = genes;
  }

  /** Position in `genes` of what a library calls so, or undefined for a gene that is not there. */
  numberOf(gene: string): number | undefined {
    return this.#numbers.get(gene.toUpperCase());
  }

  /** Position in `genes` by a name of the dataset, or else of the library. */
  find(gene: string): number | undefined {
    return this.#own?.get(gene.toUpperCase()) ?? this.numberOf(gene);
  }
}
