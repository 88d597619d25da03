import type { GeneSet } from './gene-set.ts';
import { logFactorials } from './log-factorials.ts';

/**
 * A library of gene sets against one background: the sets hold numbers of background genes, so that a test only
 * compares numbers. Compile once for a library and a dataset; it takes four bytes a gene of a set, and eight for
 * each of the background.
 */
export interface CompiledLibrary {
  /** Names of the sets that share a gene with the background, in the order of gseapy's rows: sorted by UTF-16 code unit. */
  readonly names: readonly string[];
  /** names.length + 1 rising positions: set i has the genes [starts[i], starts[i + 1]). */
  readonly starts: Int32Array;
  /** Numbers of background genes, each once in a set. */
  readonly genes: Int32Array;
  /** Background genes as the dataset spells them; those that differ only in case are one gene, spelled as the first of them. */
  readonly background: readonly string[];
  /** Upper-cased name of a gene to its number in `background`. */
  readonly numbers: ReadonlyMap<string, number>;
  /** ln(n!) for n from 0 to the number of background genes. */
  readonly logFactorials: Float64Array;
}

/**
 * Leaves in each set the genes of the background, whatever their case, and drops the sets that have none. Of sets
 * with the same name the last counts, as in a Python dict.
 */
export function compileLibrary(sets: readonly GeneSet[], background: readonly string[]): CompiledLibrary {
  const numbers = new Map<string, number>();
  const spelled: string[] = [];
  // Number of each spelling met so far, −1 outside the background. Libraries name a gene in many sets, and an object
  // finds the same string again in half the time that a Map takes.
  const resolved: Record<string, number> = Object.create(null);
  for (const gene of background) {
    const key = gene.toUpperCase();
    let number = numbers.get(key);
    if (number === undefined) {
      number = spelled.length;
      numbers.set(key, number);
      spelled.push(gene);
    }
    resolved[gene] = number;
  }

  const byName = new Map<string, GeneSet>();
  let geneCount = 0;
  for (const set of sets) {
    byName.set(set.name, set);
    geneCount += set.genes.length;
  }
  const sorted = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

  const names: string[] = [];
  const starts = [0];
  const genes = new Int32Array(geneCount);
  // For each background gene the last set that took it, so that a gene listed twice counts once.
  const takenBy = new Int32Array(spelled.length).fill(-1);
  let end = 0;
  for (let set = 0; set < sorted.length; set++) {
    const start = end;
    const spellings = sorted[set]!.genes;
    for (let i = 0; i < spellings.length; i++) {
      const spelling = spellings[i]!;
      let number = resolved[spelling];
      if (number === undefined) {
        number = numbers.get(spelling.toUpperCase()) ?? -1;
        resolved[spelling] = number;
      }
      if (number < 0 || takenBy[number] === set) continue;
      takenBy[number] = set;
      genes[end++] = number;
    }
    if (end > start) {
      names.push(sorted[set]!.name);
      starts.push(end);
    }
  }
  return {
    names,
    starts: Int32Array.from(starts),
    genes: genes.slice(0, end),
    background: spelled,
    numbers,
    logFactorials: logFactorials(spelled.length),
  };
}
