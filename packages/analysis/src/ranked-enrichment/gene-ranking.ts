/** Genes in the order of a metric, each once. */
interface GeneRanking {
  /** Numbers of the genes, the greatest metric first. */
  readonly genes: Int32Array;
  /** The metric of each of them, falling. */
  readonly metric: Float64Array;
  /** Genes that came more than once; their metric is the mean. */
  readonly repeated: number;
  /** Entries without a number, which are left out; a gene that has one elsewhere is ranked by that. */
  readonly missing: number;
  /** Genes whose metric another gene has, too. */
  readonly tied: number;
}

/**
 * Ranks genes by a metric. An entry without a number is left out, a gene that comes more than once has the mean of its
 * numbers. Equal metrics are put in an order by a hash of the genes' names: the same in every run, and unrelated to gene
 * families, which stand together in an alphabet and in sets and would make steps in a running score.
 *
 * @param genes number of the gene of each entry, below `names.length`
 * @param values a number of each entry; NaN where there is none
 * @param names of the genes by number
 */
export function rankByMetric(
  genes: Int32Array,
  values: ArrayLike<number>,
  names: readonly string[],
): GeneRanking {
  const sums = new Float64Array(names.length);
  const counts = new Int32Array(names.length);
  let missing = 0;
  for (let i = 0; i < genes.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) {
      missing++;
      continue;
    }
    sums[genes[i]!]! += value;
    counts[genes[i]!]!++;
  }
  const ranked: number[] = [];
  let repeated = 0;
  for (let gene = 0; gene < names.length; gene++) {
    const count = counts[gene]!;
    if (count === 0) continue;
    ranked.push(gene);
    if (count > 1) repeated++;
    sums[gene]! /= count;
  }
  const hashes = Uint32Array.from(names, nameHash);
  ranked.sort(
    (a, b) =>
      sums[b]! - sums[a]! ||
      hashes[a]! - hashes[b]! ||
      (names[a]! < names[b]! ? -1 : names[a]! > names[b]! ? 1 : 0),
  );
  const metric = Float64Array.from(ranked, (gene) => sums[gene]!);
  return { genes: Int32Array.from(ranked), metric, repeated, missing, tied: countTied(metric) };
}

function countTied(falling: Float64Array): number {
  let tied = 0;
  for (let i = 0; i < falling.length; i++) {
    if (falling[i] === falling[i - 1] || falling[i] === falling[i + 1]) tied++;
  }
  return tied;
}

/** FNV-1a of the upper-case name. */
function nameHash(name: string): number {
  const upper = name.toUpperCase();
  let hash = 0x811c9dc5;
  for (let i = 0; i < upper.length; i++) hash = Math.imul(hash ^ upper.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
