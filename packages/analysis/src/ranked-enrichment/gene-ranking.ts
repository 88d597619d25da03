interface GeneRanking {
  genes: Int32Array;
  metric: Float64Array;
  /** Number of genes with several entries, whose metric is the mean. */
  repeated: number;
  /** Number of entries without a number, which are ignored; a gene with another entry is ranked by that. */
  missing: number;
  /** Number of genes that share their metric with another. */
  tied: number;
}

/**
 * Ranks genes by a metric. Entries without a number are ignored; a gene with several entries gets their mean. Ties are
 * ordered by a hash of the gene names: reproducible, and unrelated to gene families, which are adjacent alphabetically
 * and in sets and would cause steps in a running score. `genes`: gene number of each entry, below `names.length`.
 * `values`: a number per entry, NaN if missing. `names`: by gene number.
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
