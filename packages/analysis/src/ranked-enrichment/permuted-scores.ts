import type { ShuffleState } from '../random/seeded-shuffle.ts';
import { SeededShuffle } from '../random/seeded-shuffle.ts';

/** Gene sets as places in a ranking: set i has the places [starts[i], starts[i + 1]). */
export interface RankedSetPlaces {
  readonly starts: Int32Array;
  readonly places: Int32Array;
}

/** Maximum genes of a ranking: a place must fit 16 bits. */
export const maxRankedGenes = 65_535;

/** Permutations of a ranking, one after the other. */
export interface Permutations {
  readonly genes: number;
  readonly count: number;
  /** count × genes: permutation p moves place g to `places[p · genes + g]`. */
  readonly places: Uint16Array;
}

/** Draws permutations (two bytes per gene and permutation) and returns the state for continuing. */
export function drawPermutations(
  start: ShuffleState,
  count: number,
): { readonly permutations: Permutations; readonly state: ShuffleState } {
  const shuffle = new SeededShuffle(start);
  const genes = start.order.length;
  const places = new Uint16Array(new SharedArrayBuffer(2 * count * genes));
  for (let p = 0; p < count; p++) {
    const order = shuffle.next();
    const row = places.subarray(p * genes, (p + 1) * genes);
    for (let place = 0; place < genes; place++) row[order[place]!] = place;
  }
  return { permutations: { genes, count, places }, state: shuffle.state };
}

export interface ScoreMatrix {
  readonly scores: Float64Array;
  readonly permutations: number;
  readonly from: number;
}

/**
 * Enrichment scores of sets at permuted places, equal to `runningScore`, written into a matrix. A walk needs the places
 * of a set in order: they are set as bits, with one more bit per non-zero word, and read out by lowest set bits, a few
 * operations per gene instead of tens for sorting, without allocation. Sums follow the order of places, so scores equal
 * gseapy's to the last bit. `weights`: of all places.
 */
export function permutedScores(
  weights: Float64Array,
  { starts, places }: RankedSetPlaces,
  { genes, count, places: permuted }: Permutations,
  into: ScoreMatrix,
): void {
  const sets = starts.length - 1;
  const { scores, permutations, from: first } = into;
  const bits = new Uint32Array(Math.ceil(genes / 32));
  const filled = new Uint32Array(Math.ceil(bits.length / 32));
  const sorted = new Uint16Array(largest(starts));
  for (let p = 0; p < count; p++) {
    const permutation = permuted.subarray(p * genes, (p + 1) * genes);
    for (let set = 0; set < sets; set++) {
      const [from, to] = [starts[set]!, starts[set + 1]!];
      for (let i = from; i < to; i++) {
        const place = permutation[places[i]!]!;
        bits[place >>> 5]! |= 1 << (place & 31);
        filled[place >>> 10]! |= 1 << ((place >>> 5) & 31);
      }
      let hits = 0;
      let sum = 0;
      for (let f = 0; f < filled.length; f++) {
        let words = filled[f]!;
        filled[f] = 0;
        while (words !== 0) {
          const word = (f << 5) + 31 - Math.clz32(words & -words);
          words &= words - 1;
          let left = bits[word]!;
          bits[word] = 0;
          while (left !== 0) {
            const place = (word << 5) + 31 - Math.clz32(left & -left);
            left &= left - 1;
            sorted[hits++] = place;
            sum += weights[place]!;
          }
        }
      }
      scores[set * permutations + first + p] = furthest(weights, sorted, hits, 1 / sum);
    }
  }
}

function furthest(weights: Float64Array, sorted: Uint16Array, hits: number, step: number): number {
  const miss = 1 / (weights.length - hits);
  let [score, current, last] = [0, 0, -1];
  for (let i = 0; i < hits; i++) {
    const place = sorted[i]!;
    current -= miss * (place - last - 1);
    if (Math.abs(current) > Math.abs(score)) score = current;
    current += step * weights[place]!;
    if (Math.abs(current) > Math.abs(score)) score = current;
    last = place;
  }
  return score;
}

function largest(starts: Int32Array): number {
  let size = 0;
  for (let set = 0; set + 1 < starts.length; set++) size = Math.max(size, starts[set + 1]! - starts[set]!);
  return size;
}
