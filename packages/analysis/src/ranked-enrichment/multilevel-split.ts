import { minProbability } from './parameters.ts';
import { LegacyRandomState } from '../random/legacy-random-state.ts';
import { digamma, trigamma } from '../statistics/polygamma.ts';

/** Sets per sample; odd, so that one is the median. fgsea's default. */
const sampleSize = 101;
/** Sums of integer weights up to this are exact, and so are their products with gene counts. */
const weightSum = 2 ** 30;

/** Standard error of log2 of a p-value obtained by halving samples. */
export function multilevelError(pValue: number): number {
  const level = Math.floor(1 - Math.log2(pValue));
  return Math.sqrt(level * (trigamma((sampleSize + 1) / 2) - trigamma(sampleSize + 1))) / Math.LN2;
}

/**
 * P(a random set of this size has a positive score of at least this value), for positive scores: the adaptive
 * multilevel split of Korotkevich and others (2021). The upper half of a sample of random sets is kept, doubled, and
 * moved by exchanging genes while scores stay above the median; what is left after n halvings represents 2⁻ⁿ of all
 * sets. Scores here are the maximum height of the walk, which determines a positive score. `weights`: of all places,
 * descending from the side of the score. `size`: genes per set. `scores`: all positive.
 */
export function multilevelTails(
  weights: Float64Array,
  size: number,
  scores: readonly number[],
  seed: number,
): number[] {
  const split = new MultilevelSplit(weights, size, seed);
  split.extend(Math.max(...scores));
  return scores.map((score) => split.tailOf(score));
}

/** A set with its score; ties are broken by a hash of its genes. */
interface Sample {
  places: Int32Array;
  height: number;
  hash: number;
  isPositive: boolean;
}

interface Level {
  bound: Pick<Sample, 'height' | 'hash'>;
  low: readonly Readonly<Pick<Sample, 'height' | 'isPositive'>>[];
  high: readonly Readonly<Pick<Sample, 'height' | 'isPositive'>>[];
}

class MultilevelSplit {
  readonly #weights: Float64Array;
  readonly #hashes: Uint32Array;
  readonly #size: number;
  readonly #random: LegacyRandomState;
  readonly #levels: Level[] = [];
  #samples: Sample[];

  constructor(weights: Float64Array, size: number, seed: number) {
    this.#weights = wholeWeights(weights);
    this.#size = size;
    this.#random = new LegacyRandomState(seed);
    this.#hashes = Uint32Array.from(weights, () => this.#random.nextUint32());
    this.#samples = Array.from({ length: sampleSize }, () => this.#measured(this.#drawn(weights.length)));
  }

  /** Adds levels until one is above the score, the probability is negligible, or all sets are equal. */
  extend(score: number): void {
    let logProbability = 0;
    while (this.#split()) {
      const { bound, high } = this.#levels.at(-1)!;
      logProbability += meanLog(high.length + 1, sampleSize);
      if (bound.height >= score || logProbability < Math.log(minProbability)) return;
      this.#move(bound);
    }
  }

  tailOf(score: number): number {
    let logProbability = 0;
    for (const { bound, low, high } of this.#levels) {
      if (bound.height >= score) {
        const reached = [...high, ...low.filter(({ height }) => height >= score)];
        return Math.exp(logProbability + meanLog(Math.max(1, positives(reached)), sampleSize));
      }
      logProbability += meanLog(high.length + 1, sampleSize);
    }
    // Above all levels: the sets over the last one are drawn evenly from those above its bound.
    const last = this.#levels.at(-1)?.high ?? this.#samples;
    const reached = last.filter(({ height }) => height >= score);
    return Math.exp(logProbability + meanLog(Math.max(1, positives(reached)), last.length));
  }

  /** Splits the sample at its median; false if all sets are equal. */
  #split(): boolean {
    const sorted = this.#samples.toSorted((a, b) => a.height - b.height || a.hash - b.hash);
    const median = sorted[sampleSize >> 1]!;
    let from = sorted.findIndex((sample) => isEqual(sample, median));
    if (from === 0) from = sorted.findIndex((sample) => !isEqual(sample, median));
    if (from < 0) return false;
    const [low, high] = [sorted.slice(0, from), sorted.slice(from)];
    const { height, hash } = low.at(-1)!;
    const state = ({ height: at, isPositive }: Sample) => ({ height: at, isPositive });
    this.#levels.push({ bound: { height, hash }, low: low.map(state), high: high.map(state) });
    const copied = low.map(() => copyOf(high[this.#random.interval(high.length - 1)]!));
    this.#samples = [...copied, ...high];
    return true;
  }

  /** Moves the sets above the bound until half of all genes were exchanged on average, and then for as long again. */
  #move(bound: Level['bound']): void {
    const walks = this.#samples.map((sample) => new Walk(sample, this.#weights, this.#hashes, bound));
    const tries = Math.max(1, Math.floor(this.#size * 0.1));
    const needed = Math.floor((sampleSize * this.#size) / 2);
    let [moves, rounds] = [0, 0];
    for (; moves < needed; rounds++) for (const walk of walks) moves += walk.tryMoves(tries, this.#random);
    for (let round = 0; round < rounds; round++) {
      for (const walk of walks) walk.tryMoves(tries, this.#random);
    }
    this.#samples = this.#samples.map(({ places }) => this.#measured(places));
  }

  /** Places of a random set, by rejection of duplicates, since sets are small relative to a ranking. */
  #drawn(count: number): Int32Array {
    if (2 * this.#size > count) return this.#random.choice(count, this.#size).sort();
    const places = new Set<number>();
    while (places.size < this.#size) places.add(this.#random.interval(count - 1));
    return Int32Array.from(places).sort();
  }

  #measured(places: Int32Array): Sample {
    const weights = this.#weights;
    const misses = weights.length - places.length;
    let [sum, hash] = [0, 0];
    for (const place of places) {
      sum += weights[place]!;
      hash ^= this.#hashes[place]!;
    }
    let [current, height, depth] = [0, 0, 0];
    for (let i = 0; i < places.length; i++) {
      const fallen = (places[i]! - i) * sum;
      depth = Math.min(depth, current * misses - fallen);
      current += weights[places[i]!]!;
      height = Math.max(height, current * misses - fallen);
    }
    return { places, height: height / (sum * misses), hash: hash >>> 0, isPositive: height >= -depth };
  }
}

class Walk {
  readonly #places: Int32Array;
  readonly #weights: Float64Array;
  readonly #hashes: Uint32Array;
  readonly #bound: Level['bound'];
  #sum = 0;
  #hash: number;

  constructor({ places, hash }: Sample, weights: Float64Array, hashes: Uint32Array, bound: Level['bound']) {
    this.#places = places;
    this.#weights = weights;
    this.#hashes = hashes;
    this.#bound = bound;
    this.#hash = hash;
    for (const place of places) this.#sum += weights[place]!;
  }

  /** Tries `times` exchanges of a gene; returns the number of exchanges, including draws of the same gene. */
  tryMoves(times: number, random: LegacyRandomState): number {
    const [places, weights, hashes] = [this.#places, this.#weights, this.#hashes];
    let moves = 0;
    for (let i = 0; i < times; i++) {
      const index = random.interval(places.length - 1);
      const place = random.interval(weights.length - 1);
      const old = places[index]!;
      const target = firstFrom(places, place);
      if (places[target] === place) {
        if (place === old) moves++;
        continue;
      }
      const [sum, hash] = [this.#sum, this.#hash];
      const at = exchange(places, index, target, place);
      this.#sum += weights[place]! - weights[old]!;
      this.#hash = (hash ^ hashes[old]! ^ hashes[place]!) >>> 0;
      if (this.#isAbove()) {
        moves++;
      } else {
        exchange(places, at, index > at ? index + 1 : index, old);
        this.#sum = sum;
        this.#hash = hash;
      }
    }
    return moves;
  }

  #isAbove(): boolean {
    const [places, weights, sum] = [this.#places, this.#weights, this.#sum];
    const misses = weights.length - places.length;
    const { height, hash } = this.#bound;
    const isStrict = this.#hash <= hash;
    const scale = sum * misses;
    // A product is rounded: near the bound the quotient decides, which is rounded as that of the bound was.
    const minRise = height * scale * (1 - 1e-12);
    let current = 0;
    for (let i = 0; i < places.length; i++) {
      current += weights[places[i]!]!;
      const risen = current * misses - (places[i]! - i) * sum;
      if (risen < minRise) continue;
      const score = risen / scale;
      if (isStrict ? score > height : score >= height) return true;
    }
    return false;
  }
}

/** Removes the place at `index` and inserts a new one in order; returns its index. */
function exchange(places: Int32Array, index: number, target: number, place: number): number {
  if (target > index) {
    places.copyWithin(index, index + 1, target);
    places[target - 1] = place;
    return target - 1;
  }
  places.copyWithin(target + 1, target, index);
  places[target] = place;
  return target;
}

/** Index of the first of the ascending places that is not below `place`, or their number. */
function firstFrom(places: Int32Array, place: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (places[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function copyOf(sample: Sample): Sample {
  return { ...sample, places: sample.places.slice() };
}

function isEqual(a: Sample, b: Sample): boolean {
  return a.height === b.height && a.hash === b.hash;
}

function positives(samples: readonly { isPositive: boolean }[]): number {
  return samples.reduce((count, { isPositive }) => count + (isPositive ? 1 : 0), 0);
}

/** Mean of the logarithm of a share estimated as `count` out of `of` samples. */
function meanLog(count: number, of: number): number {
  return digamma(count) - digamma(of + 1);
}

/** Weights scaled to integers, whose sums are exact. */
function wholeWeights(weights: Float64Array): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const scale = Math.max(1, Math.floor(weightSum / sum));
  return weights.map((weight) => Math.trunc(weight * scale));
}
