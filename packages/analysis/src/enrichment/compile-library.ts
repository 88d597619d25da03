import { packStrings, type PackedStrings } from '@cellfolio/model';
import type { GeneBackground } from './gene-background.ts';
import type { GeneSetColumns } from './gene-set.ts';
import { logFactorials } from './log-factorials.ts';

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
 * Leaves in each set the genes of the background, whatever their case, and drops the sets that have none. Of sets
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
