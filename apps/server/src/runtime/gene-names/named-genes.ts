import { detectSpecies, namedAsHuman } from '@cellfolio/analysis';
import type { PlotUmapWithGenesAnswer } from '@cellfolio/contract';
import { type ResultCaution as Caution, countText, listedNames, unpackStrings } from '@cellfolio/model';
import { namesOfGene } from '@cellfolio/model/names-of-genes';
import type { GeneIndex } from '@cellfolio/store';
import { type Nomenclature, nomenclatureOf } from './nomenclature.ts';

/** A name and the gene that it was taken for, which the dataset calls otherwise. */
export type OtherName = PlotUmapWithGenesAnswer['renamed_genes'][number];

/**
 * The genes of a dataset, found by all names of a gene where none has the name itself: by the approved symbol, symbols
 * that were replaced (MARCH1, in a dataset with MARCHF1 or the other way round) and aliases (CD45). A name that means
 * several genes of the species finds none.
 */
export class NamedGenes implements GeneIndex {
  readonly symbols: readonly string[];
  readonly ids: GeneIndex['ids'];
  readonly #stored: GeneIndex;
  #nomenclature: { of: Nomenclature | undefined } | undefined;

  constructor(stored: GeneIndex) {
    this.symbols = stored.symbols;
    this.ids = stored.ids;
    this.#stored = stored;
  }

  find(name: string): number | undefined {
    return this.#stored.find(name) ?? this.findOther(name);
  }

  /** The row of the one gene that has another name than this and is called so too; undefined where a gene has the name itself. */
  findOther(name: string): number | undefined {
    const { rows, isCertain } = this.meaningsOf(name);
    return isCertain ? rows[0] : undefined;
  }

  /**
   * Rows of the genes that a name means, none of which has the name itself; none where one has it. Certain is what can be
   * taken for the name: one gene, where the name never meant another one that the dataset may lack.
   */
  meaningsOf(name: string): { rows: readonly number[]; isCertain: boolean } {
    if (this.#stored.find(name) !== undefined) return { rows: [], isCertain: false };
    for (const other of namesOfGene(name)) {
      const row = this.#stored.find(other);
      if (row !== undefined) return { rows: [row], isCertain: true };
    }
    const names = this.#names();
    const genes = names?.genesCalled(name) ?? [];
    const rows = new Set(genes.flatMap((gene) => this.#rowsOf(gene)));
    return { rows: [...rows], isCertain: genes.length === 1 && rows.size === 1 };
  }

  #rowsOf(gene: number): readonly number[] {
    const [symbol, others] = this.#names()!.namesOf(gene);
    const row = this.#stored.find(symbol);
    return row === undefined ? others.flatMap((other) => this.#stored.find(other) ?? []) : [row];
  }

  #names(): Nomenclature | undefined {
    if (!this.#nomenclature) {
      const { species } = detectSpecies(this.symbols, this.ids.map(unpackStrings));
      this.#nomenclature = { of: nomenclatureOf(namedAsHuman.has(species) ? 'human' : species) };
    }
    return this.#nomenclature.of;
  }
}

/** The names that a dataset finds by another name of the gene, each once. */
export function otherNamesAmong(genes: GeneIndex, names: Iterable<string>): readonly OtherName[] {
  if (!(genes instanceof NamedGenes)) return [];
  return Array.from(new Set(names)).flatMap((input) => {
    const row = genes.findOther(input);
    return row === undefined ? [] : [{ given: input, gene: genes.symbols[row]! }];
  });
}

/** Symbols of the genes of a dataset that a name may mean, where none was taken for it. */
export function ambiguousGenes(genes: GeneIndex, name: string): readonly string[] {
  if (!(genes instanceof NamedGenes)) return [];
  const { rows, isCertain } = genes.meaningsOf(name);
  return isCertain ? [] : rows.map((row) => genes.symbols[row]!);
}

/**
 * Says which genes were found by another name.
 * @param of whose genes they are, such as `the library`
 */
export function otherNameCautions(names: readonly OtherName[], of: string): Caution[] {
  if (names.length === 0) return [];
  const [genes, were] = names.length === 1 ? ['gene', 'was'] : ['genes', 'were'];
  const pairs = listedNames(names.map(({ given: input, gene }) => `${input} as ${gene}`));
  return [
    {
      code: 'other-gene-names',
      message: `${countText(names.length)} ${genes} of ${of} ${were} matched by a former symbol or an alias: ${pairs}.`,
      numbers: { genes: names.length },
    },
  ];
}
