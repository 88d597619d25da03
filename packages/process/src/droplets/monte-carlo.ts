import { aliasTable } from '../alias-table.ts';
import { seededRandom } from '../random.ts';
import type { AmbientProfile } from './ambient-profile.ts';

interface MonteCarlo {
  readonly profile: AmbientProfile;
  /** Totals of the tested barcodes, ascending. */
  readonly totals: ArrayLike<number>;
  /** Log probability of each tested barcode under the profile, in the same order. */
  readonly logProbabilities: ArrayLike<number>;
  readonly iterations: number;
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** Molecules drawn before yielding to other work. */
const drawsAtOnce = 2_000_000;
/** Two computations of one probability may differ by rounding. */
const rounding = 1e-9;

/**
 * Probability that a droplet of the profile with the same total is at least as improbable as each barcode: (1 + such
 * droplets) / (1 + iterations) (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585). Each iteration fills one droplet
 * molecule by molecule up to the maximum total and compares it at every total on the way. The next molecule is a new
 * one of the profile with probability c / (c + n), else a copy of one of the n before: the Pólya urn of the
 * Dirichlet-multinomial with concentration c. The same seed gives the same values.
 */
export async function monteCarloP(task: MonteCarlo): Promise<Float64Array> {
  const { totals, logProbabilities, iterations, signal, onProgress } = task;
  const levels = levelsOf(totals, logProbabilities);
  const maxTotal = levels.at(-1)?.total ?? 0;
  const fill = dropletFiller(task, levels, maxTotal);
  let sinceBreak = 0;
  for (let iteration = 0; iteration < iterations; iteration++) {
    fill();
    sinceBreak += maxTotal;
    if (sinceBreak < drawsAtOnce) continue;
    sinceBreak = 0;
    onProgress?.((iteration + 1) / iterations);
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  }
  const p = new Float64Array(totals.length);
  for (const { barcodes, below } of levels) {
    // A simulated droplet counts for the first barcode that it does not exceed, and for all more probable ones.
    let extreme = 0;
    barcodes.forEach((barcode, at) => {
      extreme += below[at]!;
      p[barcode] = (1 + extreme) / (1 + iterations);
    });
  }
  return p;
}

interface Level {
  readonly total: number;
  readonly barcodes: number[];
  readonly logProbabilities: Float64Array;
  /** Number of simulated droplets that are at most as probable as this barcode, and more than the previous one. */
  readonly below: Int32Array;
}

function levelsOf(totals: ArrayLike<number>, logProbabilities: ArrayLike<number>): Level[] {
  const byTotal = new Map<number, number[]>();
  for (let at = 0; at < totals.length; at++) {
    const group = byTotal.get(totals[at]!);
    if (group === undefined) byTotal.set(totals[at]!, [at]);
    else group.push(at);
  }
  return [...byTotal]
    .sort(([a], [b]) => a - b)
    .map(([total, group]) => {
      const barcodes = group.sort((a, b) => logProbabilities[a]! - logProbabilities[b]!);
      return {
        total,
        barcodes,
        logProbabilities: Float64Array.from(barcodes, (at) => logProbabilities[at]!),
        below: new Int32Array(barcodes.length),
      };
    });
}

function dropletFiller(
  { profile, seed }: MonteCarlo,
  levels: readonly Level[],
  maxTotal: number,
): () => void {
  const { concentration } = profile;
  const proportions = profile.proportions.filter((share) => share > 0);
  const random = seededRandom(seed);
  const { keep, other } = aliasTable(proportions);
  const counts = new Int32Array(proportions.length);
  const molecules = new Int32Array(maxTotal);
  return () => {
    let logProbability = 0;
    let n = 0;
    for (const level of levels) {
      // One logarithm for the product of a few factors, which are far from what would overflow.
      let product = 1;
      for (let factors = 0; n < level.total; n++) {
        let gene: number;
        if (random() * (concentration + n) < concentration) {
          gene = Math.floor(random() * proportions.length);
          if (random() >= keep[gene]!) gene = other[gene]!;
        } else gene = molecules[Math.floor(random() * n)]!;
        molecules[n] = gene;
        const before = counts[gene]!++;
        product *=
          ((concentration * proportions[gene]! + before) * (n + 1)) / ((concentration + n) * (before + 1));
        if (++factors === 8) {
          logProbability += Math.log(product);
          product = 1;
          factors = 0;
        }
      }
      logProbability += Math.log(product);
      const at = firstNotBelow(level.logProbabilities, logProbability - rounding * Math.abs(logProbability));
      if (at < level.below.length) level.below[at]!++;
    }
    for (let at = 0; at < n; at++) counts[molecules[at]!] = 0;
  };
}

function firstNotBelow(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
