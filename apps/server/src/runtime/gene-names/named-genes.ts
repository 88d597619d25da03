import { detectSpecies } from '@cellfolio/analysis';
import { type Caution, countText, listedNames, unpackStrings } from '@cellfolio/model';
import { namesOfGene } from '@cellfolio/model/names-of-genes';
import type { GeneIndex } from '@cellfolio/store';
import { type Nomenclature, nomenclatureOf } from './nomenclature.ts';

/** A name and the gene that it was taken for, which the dataset calls otherwise. */
export interface OtherName {
  readonly given: string;
  /** As the dataset spells it. */
  readonly gene: string;
}

/** Genes of these are named after the human ones. */
const namedAsHuman: ReadonlySet<string | undefined> = new Set(['macaque', 'pig', 'cow', 'dog', 'chicken']);

/**
 * The genes of a dataset, found by all names of a gene where none has the name itself: by the approved symbol, symbols
 * that were replaced (MARCH1, in a dataset with MARCHF1 or the other way round) and aliases (CD45). A name that means
 * several genes of the dataset finds none.
 */
export class NamedGenes implements GeneIndex {
  readonly symbols: readonly string[];
  readonly ids: GeneIndex['ids'];
  readonly #stored: GeneIndex;
  #nomenclature: { readonly of: Nomenclature | undefined } | undefined;

  constructor(stored: GeneIndex) {
    this.symbols = stored.symbols;
    this.ids = stored.ids;
    this.#stored = stored;
  }

  find(name: string): number | undefined {
    const row = this.#stored.find(name);
    if (row !== undefined) return row;
    const rows = this.otherRows(name);
    return rows.length === 1 ? rows[0] : undefined;
  }

  /** Rows of the genes that a name means, none of which has the name itself; none where one has it. */
  otherRows(name: string): readonly number[] {
    if (this.#stored.find(name) !== undefined) return [];
    for (const other of namesOfGene(name)) {
      const row = this.#stored.find(other);
      if (row !== undefined) return [row];
    }
    const names = this.#names();
    const rows = names?.genesCalled(name).flatMap((gene) => {
      const [symbol, others] = names.namesOf(gene);
      const row = this.#stored.find(symbol);
      return row === undefined ? others.flatMap((other) => this.#stored.find(other) ?? []) : [row];
    });
    return [...new Set(rows)];
  }

  #names(): Nomenclature | undefined {
    if (!this.#nomenclature) {
      const { species } = detectSpecies(this.symbols, this.ids.map(unpackStrings));
      this.#nomenclature = { of: nomenclatureOf(namedAsHuman.has(species) ? 'human' : species) };
    }
    return this.#nomenclature.of;
  }
}

/** Those of the names that a dataset finds by another name of the gene, each once. */
export function otherNamesAmong(genes: GeneIndex, names: Iterable<string>): readonly OtherName[] {
  if (!(genes instanceof NamedGenes)) return [];
  return Array.from(new Set(names)).flatMap((given) => {
    const rows = genes.otherRows(given);
    return rows.length === 1 ? [{ given, gene: genes.symbols[rows[0]!]! }] : [];
  });
}

/** Symbols of the genes that a name may mean in a dataset, where they are several and so none was taken. */
export function ambiguousGenes(genes: GeneIndex, name: string): readonly string[] {
  const rows = genes instanceof NamedGenes ? genes.otherRows(name) : [];
  return rows.length > 1 ? rows.map((row) => genes.symbols[row]!) : [];
}

/**
 * Says which genes were found by another name.
 * @param of whose genes they are, such as `the library`
 */
export function otherNameCautions(names: readonly OtherName[], of: string): Caution[] {
  if (names.length === 0) return [];
  const [genes, were] = names.length === 1 ? ['gene', 'was'] : ['genes', 'were'];
  const pairs = listedNames(names.map(({ given, gene }) => `${given} as ${gene}`));
  return [
    {
      code: 'other-gene-names',
      message: `${countText(names.length)} ${genes} of ${of} ${were} matched by a former symbol or an alias: ${pairs}.`,
      numbers: { genes: names.length },
    },
  ];
}
