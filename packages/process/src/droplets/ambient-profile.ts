import { eachCount, type DropletCounts } from './droplet-counts.ts';
import { goodTuringProportions } from './good-turing.ts';
import { logGamma } from './log-gamma.ts';

/** What droplets without a cell hold: RNA of the suspension. */
export interface AmbientProfile {
  /** Per gene: share of the ambient RNA. Genes without any count in the whole matrix have 0. */
  readonly proportions: Float64Array;
  /** Of the Dirichlet-multinomial: the smaller, the more droplets differ from each other beyond sampling. */
  readonly concentration: number;
  /**
   * How much more often two molecules of a droplet are of one gene than sampling from the one profile gives: 1 where
   * all droplets hold the same mixture, more where they hold kinds of cells.
   */
  readonly coincidence: number;
}

/** Limits of the concentration, as logarithms; above, droplets are as good as multinomial. */
const LEAST_LOG = Math.log(1e-2);
const MOST_LOG = Math.log(1e4);
const STEPS = 60;

/**
 * The profile of the barcodes with at most `lower` counts, which are taken for empty: their pooled counts with
 * Good-Turing smoothing, and the concentration at which the Dirichlet-multinomial likelihood of these barcodes is
 * greatest (Lun et al. 2019, doi:10.1186/s13059-019-1662-y). Reads the counts once.
 */
export async function ambientProfile(
  counts: DropletCounts,
  totals: Float64Array,
  lower: number,
  signal?: AbortSignal,
): Promise<AmbientProfile> {
  const sums = new Float64Array(counts.geneCount);
  const present = new Uint8Array(counts.geneCount);
  // How many ambient barcodes have so many counts of a gene, under gene * (lower + 1) + count.
  const cells = new Map<number, number>();
  let pairs = 0;
  await eachCount(
    counts,
    (barcode, gene, count) => {
      if (count > 0) present[gene] = 1;
      if (totals[barcode]! > lower || count === 0) return;
      sums[gene]! += count;
      const key = gene * (lower + 1) + count;
      cells.set(key, (cells.get(key) ?? 0) + 1);
      pairs += count * (count - 1);
    },
    signal,
  );
  const genes = Int32Array.from(sums.keys()).filter((gene) => present[gene] === 1);
  const shares = goodTuringProportions(genes.map((gene) => sums[gene]!));
  const proportions = new Float64Array(counts.geneCount);
  genes.forEach((gene, at) => (proportions[gene] = shares[at]!));
  const sizes = new Map<number, number>();
  for (const total of totals) if (total > 0 && total <= lower) sizes.set(total, (sizes.get(total) ?? 0) + 1);
  const likelihood = (concentration: number) => {
    let sum = 0;
    for (const [size, number] of sizes)
      sum += number * (logGamma(concentration) - logGamma(size + concentration));
    for (const [key, number] of cells) {
      const weight = concentration * proportions[Math.floor(key / (lower + 1))]!;
      sum += number * logRising(weight, key % (lower + 1));
    }
    return sum;
  };
  return {
    proportions,
    concentration:
      sizes.size === 0 ? Math.exp(MOST_LOG) : Math.exp(greatest((log) => likelihood(Math.exp(log)))),
    coincidence: coincidenceOf(pairs, sums, sizes),
  };
}

/** Logarithm of x (x + 1) ... (x + n - 1). */
function logRising(x: number, n: number): number {
  if (n > 20) return logGamma(x + n) - logGamma(x);
  let sum = 0;
  for (let at = 0; at < n; at++) sum += Math.log(x + at);
  return sum;
}

/** Where a function of one peak is greatest between the limits, by golden section. */
function greatest(of: (at: number) => number): number {
  const golden = (Math.sqrt(5) - 1) / 2;
  let low = LEAST_LOG;
  let high = MOST_LOG;
  let left = high - golden * (high - low);
  let right = low + golden * (high - low);
  let atLeft = of(left);
  let atRight = of(right);
  for (let step = 0; step < STEPS && high - low > 1e-7; step++) {
    if (atLeft > atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - golden * (high - low);
      atLeft = of(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + golden * (high - low);
      atRight = of(right);
    }
  }
  return (low + high) / 2;
}

function coincidenceOf(pairs: number, sums: Float64Array, sizes: ReadonlyMap<number, number>): number {
  let all = 0;
  let alike = 0;
  for (const sum of sums) {
    all += sum;
    alike += sum * (sum - 1);
  }
  let possible = 0;
  for (const [size, number] of sizes) possible += number * size * (size - 1);
  const expected = (possible * alike) / Math.max(1, all * (all - 1));
  return expected > 0 ? pairs / expected : 1;
}
