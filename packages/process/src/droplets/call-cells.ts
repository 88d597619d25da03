import { ProcessError } from '../process-input.ts';
import { aliasTable } from '../alias-table.ts';
import { seededRandom } from '../random.ts';
import { ambientProfile, type AmbientProfile, logGamma } from './ambient-profile.ts';
import { barcodeRanks, type BarcodeRanks } from './barcode-ranks.ts';
import { barcodeTotals, eachCount, type DropletCounts } from './droplet-counts.ts';

const seed = 100;
/** Maximum molecules drawn: some twenty million per second, so that an inspection ends within its time. */
export const maxDraws = 1e10;
/** Maximum iterations that a call chooses by itself, if fewer could not call any cell. */
const maxIterations = 100_000;

interface CallSettings {
  /** Barcodes with at most this many counts are treated as empty. */
  lower: number;
  falseDiscoveryRate: number;
  /** Minimum; more are run if the rate could not be reached with them. */
  iterations: number;
}

interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Receives the completed fraction, from 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
}

export interface Droplets {
  readonly totals: Float64Array;
  readonly ranks: BarcodeRanks | undefined;
  /** Absent if the totals have no cliff. */
  readonly ambient?: AmbientProfile;
  readonly holdsEmpty: boolean;
}

interface CalledCells {
  ambient: AmbientProfile;
  /** Ascending indices of the barcodes with cells. */
  cells: Int32Array;
  /** Barcodes with at least this many counts contain cells without a test. */
  retain: number;
  /** Number of barcodes with more counts than `lower` and fewer than `retain`. */
  tested: number;
  /** Barcodes that are not called although no simulated droplet is as improbable: more iterations might call them. */
  limited: number;
  iterations: number;
  /** Per tested barcode, in file order. */
  barcodes: Int32Array;
  logProbabilities: Float64Array;
  p: Float64Array;
}

/**
 * Inspects the barcodes of a matrix: totals and their curve and, if that has a cliff, the barcodes below it. Reads the
 * counts once or twice.
 */
export async function inspectDroplets(
  counts: DropletCounts,
  { lower, signal }: { lower: number; signal?: AbortSignal | undefined },
): Promise<Droplets> {
  const totals = await barcodeTotals(counts, signal);
  const ranks = barcodeRanks(totals, lower);
  if (!hasCliff(totals, ranks, lower)) return { totals, ranks, holdsEmpty: false };
  const ambient = await ambientProfile(counts, totals, lower, signal);
  return { totals, ranks, ambient, holdsEmpty: isOneMixture(ambient) };
}

/**
 * Calls the barcodes with cells: those with at least as many counts as the knee, and those whose counts deviate from
 * the ambient profile, at a false discovery rate (EmptyDrops: Lun et al. 2019, doi:10.1186/s13059-019-1662-y). If the
 * curve has no knee, all are tested. The same counts and settings give the same cells. Throws ProcessError `too-large`
 * if the droplets to simulate contain more than maxDraws molecules.
 */
export async function callCells(
  counts: DropletCounts,
  { totals, ranks, ...rest }: Omit<Droplets, 'holdsEmpty'>,
  settings: CallSettings,
  { signal, onProgress }: CallOptions = {},
): Promise<CalledCells> {
  const { lower, falseDiscoveryRate } = settings;
  const draws = drawsNeeded({ totals, ranks }, settings);
  if (draws > maxDraws)
    throw new ProcessError(
      'too-large',
      `The test for empty droplets would draw ${draws.toExponential(1)} molecules, more than ${maxDraws.toExponential(0)}: the barcodes to test have too many counts. Keep barcodes with a minimum of counts, or all.`,
    );
  const ambient = rest.ambient ?? (await ambientProfile(counts, totals, lower, signal));
  const retain = ranks?.knee ?? Infinity;
  const barcodes = Int32Array.from(positionsAbove(totals, lower));
  const probabilities = await logProbabilities(counts, totals, ambient, { lower, signal });
  const logs = Float64Array.from(barcodes, (barcode) => probabilities[barcode]!);
  const below = barcodes.map((_, at) => at).filter((at) => totals[barcodes[at]!]! < retain);
  const iterations = iterationsFor(barcodes.length, barcodes.length - below.length, draws, settings);
  const simulated = await monteCarloP({
    profile: ambient,
    totals: Float64Array.from(below, (at) => totals[barcodes[at]!]!),
    logProbabilities: Float64Array.from(below, (at) => logs[at]!),
    iterations,
    seed: seed,
    signal,
    onProgress,
  });
  // Barcodes above the knee are cells without a test: their p is taken as 0 beside the others'.
  const p = new Float64Array(barcodes.length);
  below.forEach((at, position) => (p[at] = simulated[position]!));
  const limit = greatestRejected(p, falseDiscoveryRate);
  const minP = 1 / (1 + iterations);
  return {
    ambient,
    cells: barcodes.filter((_, at) => p[at]! <= limit),
    retain,
    tested: below.length,
    limited: limit < minP ? p.filter((one) => one === minP).length : 0,
    iterations,
    barcodes,
    logProbabilities: logs,
    p,
  };
}

export function drawsNeeded(
  { totals, ranks }: Pick<Droplets, 'totals' | 'ranks'>,
  { lower, iterations }: Pick<CallSettings, 'lower' | 'iterations'>,
): number {
  const retain = ranks?.knee ?? Infinity;
  const largestTotal = totals.reduce(
    (so, total) => (total > lower && total < retain ? Math.max(so, total) : so),
    0,
  );
  return largestTotal * iterations;
}

/**
 * Enough iterations that a single barcode more improbable than every simulated droplet can be called beside those above
 * the knee: its p of 1 / (1 + iterations) times barcodes / (above the knee + 1) must not exceed the rate. Bounded in
 * number and in draws.
 */
function iterationsFor(
  barcodes: number,
  aboveKnee: number,
  draws: number,
  { falseDiscoveryRate, iterations }: CallSettings,
): number {
  const needed = Math.ceil(barcodes / ((aboveKnee + 1) * falseDiscoveryRate));
  const affordable = draws === 0 ? iterations : Math.floor((maxDraws / draws) * iterations);
  return Math.max(iterations, Math.min(needed, maxIterations, affordable));
}

async function logProbabilities(
  counts: DropletCounts,
  totals: Float64Array,
  { proportions, concentration }: AmbientProfile,
  { lower, signal }: { lower: number; signal: AbortSignal | undefined },
): Promise<Float64Array> {
  const sums = new Float64Array(totals.length);
  const offsets = proportions.map((share) => (share > 0 ? logGamma(concentration * share) : 0));
  await eachCount(
    counts,
    (barcode, gene, count) => {
      if (totals[barcode]! <= lower || count === 0) return;
      sums[barcode]! +=
        logGamma(count + concentration * proportions[gene]!) - offsets[gene]! - logGamma(count + 1);
    },
    signal,
  );
  const whole = logGamma(concentration);
  return sums.map((sum, barcode) => {
    const total = totals[barcode]!;
    return total > lower ? sum + logGamma(total + 1) + whole - logGamma(total + concentration) : 0;
  });
}

/** Maximum p rejected at a false discovery rate (Benjamini & Hochberg 1995); -1 if there is none. */
function greatestRejected(p: Float64Array, rate: number): number {
  const sorted = p.slice().sort();
  for (let at = sorted.length - 1; at >= 0; at--)
    if ((sorted[at]! * sorted.length) / (at + 1) <= rate) return sorted[at]!;
  return -1;
}

function* positionsAbove(totals: Float64Array, lower: number): Iterable<number> {
  for (let at = 0; at < totals.length; at++) if (totals[at]! > lower) yield at;
}

/** Raw droplet matrices have ten to a thousand times as many barcodes as cells. */
export const minEmptyDroplets = 500;
const minEmptyShare = 0.8;
const minCells = 20;
/** Over a quarter more ranks the totals must fall at least as the rank to the power of -2. */
const step = 1.25;
const steep = -2;
/** Ambient droplets of 10x data have 1.0 to 1.2; a mixture of kinds of cells, each with specific genes, more. */
const maxCoincidence = 1.5;

/**
 * Whether the totals of a matrix indicate mainly empty droplets. Both conditions must hold, so that cells with low
 * counts (a small gene panel, shallow sequencing) are never treated as empty: four of five barcodes, and at least 500,
 * have no more than `lower` counts; above, the curve of totals over ranks falls off a cliff. Totals of cells alone have
 * none there: for a log-normal distribution with standard deviation s of natural logarithms, the slope at the upper
 * fifth is -0.71 s.
 */
function hasCliff(totals: ArrayLike<number>, ranks: BarcodeRanks | undefined, lower: number): boolean {
  if (ranks === undefined) return false;
  let empty = 0;
  for (let barcode = 0; barcode < totals.length; barcode++) if (totals[barcode]! <= lower) empty++;
  if (empty < minEmptyDroplets || empty < minEmptyShare * totals.length) return false;
  return steepestSlope(ranks, lower) <= steep;
}

/**
 * Whether barcodes below a cliff all contain the same mixture of genes, as empty droplets do, and not kinds of cells.
 */
function isOneMixture({ coincidence }: Pick<AmbientProfile, 'coincidence'>): boolean {
  return coincidence <= maxCoincidence;
}

function steepestSlope({ ranks, totals }: BarcodeRanks, lower: number): number {
  let steepest = 0;
  let to = 0;
  for (let from = 0; from < ranks.length && totals[from]! > lower; from++) {
    if (ranks[from]! < minCells) continue;
    while (to < ranks.length - 1 && ranks[to]! < ranks[from]! * step) to++;
    const rise = Math.log(totals[to]! / totals[from]!);
    const run = Math.log(Math.max(ranks[to]! / ranks[from]!, step));
    steepest = Math.min(steepest, rise / run);
  }
  return steepest;
}

interface MonteCarlo {
  profile: AmbientProfile;
  /** Totals of the tested barcodes, ascending. */
  totals: ArrayLike<number>;
  /** Log probability of each tested barcode under the profile, in the same order. */
  logProbabilities: ArrayLike<number>;
  iterations: number;
  seed: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
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
async function monteCarloP(task: MonteCarlo): Promise<Float64Array> {
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
  total: number;
  barcodes: number[];
  logProbabilities: Float64Array;
  /** Number of simulated droplets that are at most as probable as this barcode, and more than the previous one. */
  below: Int32Array;
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
