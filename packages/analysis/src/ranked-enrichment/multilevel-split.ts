import { LegacyRandomState } from '../random/legacy-random-state.ts';
import { digamma, trigamma } from '../statistics/polygamma.ts';

/** Sets of a sample: odd, so that one is the median. The default of fgsea. */
const sampleSize = 101;
/** Smaller probabilities are not looked for. The default of fgsea's eps is of this size. */
export const minProbability = 1e-50;
/** Sums of whole weights up to this are exact, and so are their products with numbers of genes. */
const weightSum = 2 ** 30;

/** Standard error of the binary logarithm of a p-value that was found by halving samples. */
export function multilevelError(pValue: number): number {
  const level = Math.floor(1 - Math.log2(pValue));
  return Math.sqrt(level * (trigamma((sampleSize + 1) / 2) - trigamma(sampleSize + 1))) / Math.LN2;
}

/**
 * P(a random set of this size has a score of at least as much, and a positive one), for scores above 0: the adaptive
 * multilevel split of Korotkevich and others (2021). Of a sample of random sets the half with the higher scores is kept,
 * doubled, and moved about by exchanging genes as long as scores stay above the median; what is left after n halvings
 * stands for 2⁻ⁿ of all sets. Scores here are the greatest height of the walk, which decides for a positive score.
 *
 * @param weights of all places, falling from the side of the score
 * @param size genes of a set
 * @param scores all positive
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

/** A set with its score; sets of equal scores are told apart by a number that depends on their genes alone. */
interface Sample {
  /** Rising. */
  readonly places: Int32Array;
  height: number;
  hash: number;
  isPositive: boolean;
}

interface Level {
  /** The highest of the sets that were left behind. */
  readonly bound: Pick<Sample, 'height' | 'hash'>;
  readonly low: readonly Readonly<Pick<Sample, 'height' | 'isPositive'>>[];
  readonly high: readonly Readonly<Pick<Sample, 'height' | 'isPositive'>>[];
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

  /** Splits the sample at its median; false where all sets are equal. */
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

  /** Moves the sets about above the bound: until half of all genes were exchanged on average, and as long again. */
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

  /** Places of a random set: drawn until they are different, as sets are small beside a ranking. */
  #drawn(count: number): Int32Array {
    if (2 * this.#size > count) return this.#random.choice(count, this.#size).sort();
    const drawn = new Set<number>();
    while (drawn.size < this.#size) drawn.add(this.#random.interval(count - 1));
    return Int32Array.from(drawn).sort();
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

/** A set that is moved about above a bound; its places are changed where they stand. */
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

  /** Tries to exchange a gene so many times. @returns how often one was exchanged, or drawn to stand for itself */
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

  /** Whether the set is above the bound; left as soon as it is known. */
  #isAbove(): boolean {
    const [places, weights, sum] = [this.#places, this.#weights, this.#sum];
    const misses = weights.length - places.length;
    const { height, hash } = this.#bound;
    const isStrict = this.#hash <= hash;
    const scale = sum * misses;
    // A product is rounded: near the bound the quotient decides, which is rounded as that of the bound was.
    const least = height * scale * (1 - 1e-12);
    let current = 0;
    for (let i = 0; i < places.length; i++) {
      current += weights[places[i]!]!;
      const risen = current * misses - (places[i]! - i) * sum;
      if (risen < least) continue;
      const score = risen / scale;
      if (isStrict ? score > height : score >= height) return true;
    }
    return false;
  }
}

/** Puts a place where the first not below it stands, and takes away the one at `index`. @returns where it is then */
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

/** Position of the first of the rising places that is not below, or their number. */
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

function positives(samples: readonly { readonly isPositive: boolean }[]): number {
  return samples.reduce((count, { isPositive }) => count + (isPositive ? 1 : 0), 0);
}

/** Mean of the logarithm of a share of which `count` of `of` samples were seen. */
function meanLog(count: number, of: number): number {
  return digamma(count) - digamma(of + 1);
}

/** The weights as whole numbers, whose sums are exact. */
function wholeWeights(weights: Float64Array): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const scale = Math.max(1, Math.floor(weightSum / sum));
  return weights.map((weight) => Math.trunc(weight * scale));
}
