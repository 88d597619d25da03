import { packStrings, type PackedStrings } from '@cellfolio/model';
import type { GeneBackground } from './gene-background.ts';

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

/**
 * A library of gene sets against one background: the sets hold numbers of background genes, so that a test only
 * compares numbers. Compile once for a library and a dataset. Typed arrays alone, fit to be shared between threads: four
 * bytes a gene of a set, and eight for each of the background.
 */
export interface CompiledLibrary {
  /** Names of the sets that share a gene with the background, in the order of gseapy's rows: sorted by UTF-16 code unit. */
  readonly names: PackedStrings;
  /** One more rising position than names: set i has the genes [starts[i], starts[i + 1]). */
  readonly starts: Int32Array;
  /** Numbers of background genes, each once in a set. */
  readonly genes: Int32Array;
  /** ln(n!) for n from 0 to the number of background genes. */
  readonly logFactorials: Float64Array;
  /** Sets that share a gene with the background but have genes that it lacks. */
  readonly shrunk: number;
  /** Sets that share no gene with the background. */
  readonly dropped: number;
}

/**
 * Leaves in each set the genes of the background, ignoring case, and drops the sets that have none. Of sets
 * with the same name the last counts, as in a Python dict.
 */
export function compileLibrary(sets: GeneSetColumns, background: GeneBackground): CompiledLibrary {
  const numbers = Int32Array.from(sets.symbols, (symbol) => background.numberOf(symbol) ?? -1);
  const byName = new Map(sets.names.map((name, set) => [name, set]));
  const sorted = [...byName].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

  const names: string[] = [];
  const starts = [0];
  const genes = new Int32Array(sets.genes.length);
  // For each background gene the last set that took it: spellings that differ in case only are one gene.
  const takenBy = new Int32Array(background.genes.length).fill(-1);
  let end = 0;
  let shrunk = 0;
  for (const [name, set] of sorted) {
    const start = end;
    let outside = 0;
    for (let i = sets.starts[set]!; i < sets.starts[set + 1]!; i++) {
      const number = numbers[sets.genes[i]!]!;
      if (number < 0) outside++;
      if (number < 0 || takenBy[number] === set) continue;
      takenBy[number] = set;
      genes[end++] = number;
    }
    if (end > start) {
      names.push(name);
      starts.push(end);
      if (outside > 0) shrunk++;
    }
  }
  return {
    names: packStrings(names),
    starts: Int32Array.from(starts),
    genes: genes.slice(0, end),
    logFactorials: logFactorials(background.genes.length),
    shrunk,
    dropped: sorted.length - names.length,
  };
}

/**
 * ln(n!) for n from 0 to `max`. The logarithms are summed with the error of each addition carried along
 * (Neumaier), so that each entry is right to its last bits even after 100,000 terms.
 */
export function logFactorials(max: number): Float64Array {
  const table = new Float64Array(max + 1);
  let sum = 0;
  let lost = 0;
  for (let n = 2; n <= max; n++) {
    const term = Math.log(n);
    const next = sum + term;
    lost += sum >= term ? sum - next + term : term - next + sum;
    sum = next;
    table[n] = sum + lost;
  }
  return table;
}
