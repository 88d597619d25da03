/** The genes of a dataset, prepared once so that each keystroke costs little. */
export interface GeneIndex {
  /** Symbols as the dataset spells them, in alphabetical order whatever the case. */
  symbols: readonly string[];
  /** The same in lower case, in the same order. */
  lower: readonly string[];
  /** Lower case to the dataset's spelling. */
  spelling: ReadonlyMap<string, string>;
}

const maxSuggestions = 10;

export function indexGenes(library: readonly string[]): GeneIndex {
  const keyed = library.map((symbol) => ({ symbol, lower: symbol.toLowerCase() }));
  keyed.sort((a, b) => (a.lower < b.lower ? -1 : a.lower > b.lower ? 1 : 0));
  const spelling = new Map<string, string>();
  // Where two symbols differ by case alone (human and mouse in one dataset), the first in the library answers.
  for (const symbol of library) {
    const lower = symbol.toLowerCase();
    if (!spelling.has(lower)) spelling.set(lower, symbol);
  }
  return { symbols: keyed.map(({ symbol }) => symbol), lower: keyed.map(({ lower }) => lower), spelling };
}

interface Suggestions {
  symbols: string[];
  /** How many symbols were looked at: the cost of the answer. */
  examined: number;
}

/**
 * At most ten symbols that hold the text, whatever the case: those that begin with it first, then alphabetically.
 * The symbols that begin with it lie together in the sorted order and are found by bisection; the scan for the
 * others stops as soon as ten are found.
 * @param skip symbols not to offer, being chosen already
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

/** The dataset's spelling of a gene; any gene, in upper case, where the dataset lists none. */
export function matchGene(index: GeneIndex, name: string): string | undefined {
  if (index.symbols.length === 0) return name.toUpperCase();
  return index.spelling.get(name.toLowerCase());
}

export interface GeneEntry {
  /** To be added, as the dataset spells them. */
  added: string[];
  /** Not in the dataset, in upper case. */
  unknown: string[];
}

/** Reads what was typed: pieces between commas, trimmed, upper-cased, matched with the dataset's genes. */
export function readGeneEntry(text: string, index: GeneIndex, chosen: readonly string[]): GeneEntry {
  return readPieces(text.split(','), index, chosen);
}

/** Reads a pasted list, as from a column of a spreadsheet: any white space, comma or semicolon parts two genes. */
export function readPastedGenes(text: string, index: GeneIndex, chosen: readonly string[]): GeneEntry {
  return readPieces(text.split(/[\s,;]+/), index, chosen);
}

/** Whether a pasted text is a list rather than a piece of one name. */
export function isGeneList(text: string): boolean {
  return /\S[\s,;]+\S/.test(text.trim());
}

function readPieces(pieces: readonly string[], index: GeneIndex, chosen: readonly string[]): GeneEntry {
  const taken = new Set(chosen);
  const added: string[] = [];
  const unknown = new Set<string>();
  for (const piece of pieces) {
    const name = piece.trim().toUpperCase();
    if (name === '') continue;
    const symbol = matchGene(index, name);
    if (symbol === undefined) unknown.add(name);
    else if (!taken.has(symbol)) {
      taken.add(symbol);
      added.push(symbol);
    }
  }
  return { added, unknown: Array.from(unknown) };
}
