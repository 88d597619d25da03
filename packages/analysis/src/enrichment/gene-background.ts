/** The genes that could have been drawn, by number. Compared without regard to case. */
export class GeneBackground {
  /** As the dataset spells them; those that differ only in case are one gene, spelled as the first of them. */
  readonly genes: readonly string[];
  readonly #numbers = new Map<string, number>();

  /** @param symbols of all genes of a dataset */
  constructor(symbols: readonly string[]) {
    const genes: string[] = [];
    for (const symbol of symbols) {
      const key = symbol.toUpperCase();
      if (this.#numbers.has(key)) continue;
      this.#numbers.set(key, genes.length);
      genes.push(symbol);
    }
    this.genes = genes;
  }

  /** Position in `genes`, or undefined for a gene that is not there. */
  numberOf(gene: string): number | undefined {
    return this.#numbers.get(gene.toUpperCase());
  }
}
