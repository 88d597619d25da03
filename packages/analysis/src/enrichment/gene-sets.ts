import { packStrings, type PackedStrings } from '@cellfolio/model';
import type { GeneBackground } from './gene-background.ts';

export interface GeneSet {
  readonly name: string;
  readonly genes: readonly string[];
}

/** Gene sets as columns: libraries repeat the same genes in many sets, and integers compare fast. */
export interface GeneSetColumns {
  readonly names: readonly string[];
  /** names.length + 1 ascending offsets: set i has the genes [starts[i], starts[i + 1]). */
  readonly starts: Int32Array;
  /** Indices into `symbols`, unique within a set. */
  readonly genes: Int32Array;
  readonly symbols: readonly string[];
}

/** Converts sets to columns. A gene repeated in a set keeps its first position. */
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

export function geneSetsOf({ names, starts, genes, symbols }: GeneSetColumns): GeneSet[] {
  return names.map((name, i) => ({
    name,
    genes: Array.from(genes.subarray(starts[i], starts[i + 1]), (gene) => symbols[gene]!),
  }));
}

/**
 * A library of gene sets compiled against one background: sets hold numbers of background genes, so that tests compare
 * integers. Compile once per library and dataset. Typed arrays only, which threads can share: four bytes per gene of a
 * set, and eight per background gene.
 */
export interface CompiledLibrary {
  /** Names of the sets that share a gene with the background, in gseapy's row order: sorted by UTF-16 code unit. */
  readonly names: PackedStrings;
  /** names.length + 1 ascending offsets: set i has the genes [starts[i], starts[i + 1]). */
  readonly starts: Int32Array;
  /** Numbers of background genes, unique within a set. */
  readonly genes: Int32Array;
  /** ln(n!) for n from 0 to the number of background genes. */
  readonly logFactorials: Float64Array;
  /** Number of sets that share a gene with the background but have genes that it lacks. */
  readonly shrunk: number;
  /** Number of sets that share no gene with the background. */
  readonly dropped: number;
}

/**
 * Restricts each set to background genes, ignoring case, and drops empty sets. If sets have the same name, the last one
 * is used, as in a Python dict.
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
 * ln(n!) for n from 0 to `max`, with compensated (Neumaier) summation, so that each entry is right to its last bits
 * even after 100,000 terms.
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
