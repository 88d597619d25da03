import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { foldedName, namesOfGene } from '@cellfolio/model/names-of-genes';

/** Species whose names of genes come with the source; `NOTICE` names their sources. */
const files = { human: 'human.names', mouse: 'mouse.names' } as const;

/** How a gene comes by a name, the strongest first. */
const ranks = ['approved', 'previous', 'alias'] as const;

/** Spreadsheets make dates of these symbols: `1-Mar` was MARCH1 or MARC1. */
const datePattern = /^(\d{1,2})-(Mar|Sep|Dec)$/i;
const symbolsOfDate: ReadonlyMap<string, readonly string[]> = new Map([
  ['mar', ['MARCH', 'MARC']],
  ['sep', ['SEPT']],
  ['dec', ['DEC']],
]);

/**
 * The genes of a species by all their names: the approved symbol, symbols that were replaced, and aliases. Names are
 * compared without case, hyphens and dots. A name that is the approved symbol of a gene is no other name of another one.
 */
export class Nomenclature {
  /** A gene each: its symbol, those before it and its aliases, separated by tabs and among themselves by `|`. */
  readonly #lines: readonly string[];
  /** Numbers of genes times the number of ranks, plus the rank. An array for each name would triple the memory. */
  readonly #meanings = new Map<string, number | number[]>();

  constructor(text: string) {
    this.#lines = text.split('\n').filter((line) => line !== '');
    this.#lines.forEach((line, gene) =>
      line.split('\t').forEach((names, rank) => {
        for (const name of names.split('|')) if (name !== '') this.#add(name, gene * ranks.length + rank);
      }),
    );
  }

  /**
   * Numbers of the genes that a name means, all of the strongest rank: where a symbol was replaced for one gene and is an
   * alias of another, the first is meant. A well-known name means the gene that single-cell studies mean by it.
   */
  genesCalled(name: string): readonly number[] {
    const [, number, month] = datePattern.exec(name) ?? [];
    const names = month
      ? symbolsOfDate.get(month.toLowerCase())!.map((stem) => `${stem}${number}`)
      : [namesOfGene(name)[0] ?? name];
    const meanings = names.flatMap((one) => this.#meanings.get(foldedName(one)) ?? []);
    const strongest = Math.min(...meanings.map((meaning) => meaning % ranks.length));
    const genes = meanings.filter((meaning) => meaning % ranks.length === strongest);
    return [...new Set(genes.map((meaning) => Math.floor(meaning / ranks.length)))];
  }

  /** The approved symbol, and the other names that mean this gene alone. */
  namesOf(gene: number): readonly [symbol: string, others: readonly string[]] {
    const [symbol = '', ...others] = this.#lines[gene]!.split(/[\t|]/);
    const isOnly = (genes: readonly number[]) => genes.length === 1 && genes[0] === gene;
    return [symbol, others.filter((name) => name !== '' && isOnly(this.genesCalled(name)))];
  }

  #add(name: string, meaning: number): void {
    const key = foldedName(name);
    const earlier = this.#meanings.get(key);
    if (earlier === undefined) this.#meanings.set(key, meaning);
    else if (typeof earlier === 'number') this.#meanings.set(key, [earlier, meaning]);
    else earlier.push(meaning);
  }
}

const read = new Map<string, Nomenclature>();

/** The names of a species' genes, read when they are first needed; undefined where none come with the source. */
export function nomenclatureOf(species: string | undefined): Nomenclature | undefined {
  if (species !== 'human' && species !== 'mouse') return undefined;
  let names = read.get(species);
  if (!names) {
    const bytes = readFileSync(new URL(files[species], import.meta.url));
    names = new Nomenclature(brotliDecompressSync(bytes).toString('utf8'));
    read.set(species, names);
  }
  return names;
}

/** Other names of the gene that a name means in any species, the approved symbol first; none where it means several. */
export function otherNamesOf(name: string): readonly string[] {
  const names = ['human', 'mouse'].flatMap((species) => {
    const nomenclature = nomenclatureOf(species)!;
    const [gene, ...more] = nomenclature.genesCalled(name);
    return gene === undefined || more.length > 0 ? [] : nomenclature.namesOf(gene).flat();
  });
  return [...new Set([...namesOfGene(name), ...names])];
}
