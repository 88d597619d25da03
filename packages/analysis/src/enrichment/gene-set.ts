/** A named set of genes, such as a pathway. Names come from a library file: any text. */
export interface GeneSet {
  readonly name: string;
  readonly genes: readonly string[];
}

/** The sets of a library as columns: libraries name the same genes in many sets, and numbers are quick to compare. */
export interface GeneSetColumns {
  readonly names: readonly string[];
  /** names.length + 1 rising positions: set i has the genes [starts[i], starts[i + 1]). */
  readonly starts: Int32Array;
  /** Positions in `symbols`, each once in a set. */
  readonly genes: Int32Array;
  /** The genes of all sets, each spelling once. */
  readonly symbols: readonly string[];
}

/** The sets as columns. Of a gene that a set lists twice the first counts. */
export function geneSetColumns(sets: readonly GeneSet[]): GeneSetColumns {
  const numbers = new Map<string, number>();
  const starts = [0];
  const genes: number[] = [];
  for (const set of sets) {
    for (const gene of new Set(set.genes)) {
      let number = numbers.get(gene);
      if (number === undefined) numbers.set(gene, (number = numbers.size));
      genes.push(number);
    }
    starts.push(genes.length);
  }
  return {
    names: sets.map(({ name }) => name),
    starts: Int32Array.from(starts),
    genes: Int32Array.from(genes),
    symbols: [...numbers.keys()],
  };
}

/** The columns as sets. */
export function geneSetsOf({ names, starts, genes, symbols }: GeneSetColumns): GeneSet[] {
  return names.map((name, i) => ({
    name,
    genes: Array.from(genes.subarray(starts[i], starts[i + 1]), (gene) => symbols[gene]!),
  }));
}
