import { foldedName, namesOfGene, type PlotUmapWithGenesAnswer } from '@cellfolio/contract';

/** The genes of a dataset, prepared once so that each keystroke costs little. */
export interface GeneIndex {
  /** The dataset of the genes; absent when it cannot be queried further. */
  dataset: { filename: string; version: string } | undefined;
  /** Symbols in the dataset's spelling, in alphabetical order ignoring case. */
  symbols: readonly string[];
  /** `symbols` in lower case, in the same order. */
  lower: readonly string[];
  /** Lower case to the dataset's spelling. */
  spelling: ReadonlyMap<string, string>;
  exact: ReadonlySet<string>;
  /** Symbols without hyphens and similar characters; built on first use. */
  folded: () => ReadonlyMap<string, string>;
}

const maxSuggestions = 10;

export function indexGenes(library: readonly string[], dataset?: GeneIndex['dataset']): GeneIndex {
  const keyed = library.map((symbol) => ({ symbol, lower: symbol.toLowerCase() }));
  keyed.sort((a, b) => (a.lower < b.lower ? -1 : a.lower > b.lower ? 1 : 0));
  let folded: ReadonlyMap<string, string> | undefined;
  return {
    dataset,
    symbols: keyed.map(({ symbol }) => symbol),
    lower: keyed.map(({ lower }) => lower),
    spelling: firstBy(library, (symbol) => symbol.toLowerCase()),
    exact: new Set(library),
    folded: () => (folded ??= firstBy(library, foldedName)),
  };
}

/** When two symbols differ only in case (human and mouse in one dataset), the first in the library is used. */
function firstBy(library: readonly string[], form: (symbol: string) => string): Map<string, string> {
  const first = new Map<string, string>();
  for (const symbol of library) {
    const key = form(symbol);
    if (!first.has(key)) first.set(key, symbol);
  }
  return first;
}

interface Suggestions {
  symbols: string[];
  /** Number of symbols that were examined: the cost of the result. */
  examined: number;
}

/**
 * At most ten symbols that contain the text in any case: first those that begin with it, then alphabetically. Symbols
 * that begin with it are contiguous in the sorted order and found by bisection; the scan for the others stops once ten
 * are found. `skip` holds symbols that are already chosen.
 */
export function suggestGenes(
  index: GeneIndex,
  text: string,
  skip: ReadonlySet<string> = new Set(),
): Suggestions {
  const query = text.trim().toLowerCase();
  const symbols: string[] = [];
  let examined = 0;
  if (query === '') return { symbols, examined };

  const { lower } = index;
  let from = 0;
  let to = lower.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    examined++;
    if ((lower[middle] ?? '') < query) from = middle + 1;
    else to = middle;
  }

  const offer = (position: number) => {
    const symbol = index.symbols[position];
    if (symbol !== undefined && !skip.has(symbol)) symbols.push(symbol);
  };

  let end = from;
  while (end < lower.length && symbols.length < maxSuggestions) {
    examined++;
    if (lower[end]?.startsWith(query) !== true) break;
    offer(end);
    end++;
  }
  for (let position = 0; position < lower.length && symbols.length < maxSuggestions; position++) {
    // The run of prefixes was offered above.
    if (position >= from && position < end) continue;
    examined++;
    if (lower[position]?.includes(query) === true) offer(position);
  }
  return { symbols, examined };
}

/** The dataset's spelling of a gene; any gene, in upper case, when the dataset lists none. */
export function matchGene(index: GeneIndex, name: string): string | undefined {
  if (index.symbols.length === 0) return name.toUpperCase();
  return index.exact.has(name) ? name : index.spelling.get(name.toLowerCase());
}

/**
 * The dataset's gene for a name that is not one of its symbols: by another name of the gene, written without or with
 * hyphens, or with the `-1` that distinguishes genes of one symbol in another dataset.
 */
function findRenamed(index: GeneIndex, name: string): string | undefined {
  for (const other of namesOfGene(name)) {
    const symbol = index.spelling.get(other.toLowerCase());
    if (symbol !== undefined) return symbol;
  }
  return (
    index.folded().get(foldedName(name)) ?? index.spelling.get(name.toLowerCase().replace(/-[1-9]$/, ''))
  );
}

export type MendedGene = PlotUmapWithGenesAnswer['renamed_genes'][number];

export interface ReadGenes {
  /** In the dataset's spelling, each once, in the given order. */
  genes: string[];
  /** Genes that were given under another name or spelling. */
  mended: MendedGene[];
  /** Not in the dataset, as given, each once. */
  missing: string[];
  /** Genes that were given more than once. */
  repeated: string[];
  /** Missing names that may mean several genes of the dataset. */
  ambiguous: { input: string; genes: readonly string[] }[];
}

/** Names that are no symbols of the dataset, resolved. */
export interface OtherNames {
  /** Its symbols by the names. */
  symbols: ReadonlyMap<string, string>;
  /** Names that mean several of its genes, with their symbols. */
  ambiguous: ReadonlyMap<string, readonly string[]>;
}

/**
 * Looks names up in the dataset: as they are, whatever the case, then by what else the gene is called.
 * @param others what the server says of names that are none of the dataset's symbols, such as Ensembl ids and aliases
 */
export function readGenes(names: readonly string[], index: GeneIndex, others?: OtherNames): ReadGenes {
  const genes = new Set<string>();
  const mended = new Map<string, string>();
  const missing = new Set<string>();
  const repeated = new Set<string>();
  for (const piece of names) {
    const trimmed = piece.trim();
    if (trimmed === '') continue;
    const gene = matchGene(index, trimmed) ?? findRenamed(index, trimmed) ?? others?.symbols.get(trimmed);
    if (gene === undefined) {
      if (missing.has(trimmed)) repeated.add(trimmed);
      missing.add(trimmed);
      continue;
    }
    if (genes.has(gene)) repeated.add(gene);
    genes.add(gene);
    if (gene !== trimmed) mended.set(trimmed, gene);
  }
  return {
    genes: [...genes],
    mended: Array.from(mended, ([input, gene]) => ({ given: input, gene })),
    missing: [...missing],
    repeated: [...repeated],
    ambiguous: [...missing].flatMap((input) => {
      const genes = others?.ambiguous.get(input);
      return genes ? [{ input, genes }] : [];
    }),
  };
}

export interface GeneEntry {
  added: string[];
  /** Genes whose name in the dataset differs by more than case. */
  renamed: MendedGene[];
  /** Not in the dataset, in upper case. */
  unknown: string[];
  ambiguous: ReadGenes['ambiguous'];
}

/** The names in a pasted list, such as a spreadsheet column, separated by white space, commas or semicolons. */
export function pastedNames(text: string): string[] {
  return text.split(/[\s,;]+/).flatMap((piece) => {
    const name = piece.replaceAll(/^["']+|["']+$/g, '');
    return name === '' ? [] : [name];
  });
}

export function isGeneList(text: string): boolean {
  return /\S[\s,;]+\S/.test(text.trim());
}

/** Result of typing or pasting names into a box. */
export function geneEntry(
  { genes, mended, missing, ambiguous }: ReadGenes,
  chosen: readonly string[],
): GeneEntry {
  return {
    added: genes.filter((gene) => !chosen.includes(gene)),
    renamed: mended.filter(({ given: input, gene }) => input.toLowerCase() !== gene.toLowerCase()),
    unknown: [...new Set(missing.map((name) => name.toUpperCase()))],
    ambiguous,
  };
}
