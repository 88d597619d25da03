/** State of a stream of permutations: plain arrays, so that another thread can continue it. */
export interface ShuffleState {
  /** Four 64-bit words of the generator, each with its lower half first. */
  readonly words: Uint32Array;
  /** Order from which the next shuffle starts. */
  readonly order: Int32Array;
}

const twoTo32 = 0x1_0000_0000;

/**
 * Permutations of 0 to `count` − 1, each a shuffle of the previous one, reproducing gseapy's draws for a seed:
 * xoshiro256++ (Blackman and Vigna 2021) seeded by SplitMix64, with the shuffle of Rust's `rand` 0.9. Not for secrets.
 */
export class SeededShuffle {
  readonly #words: Uint32Array;
  readonly #order: Int32Array;

  constructor(state: ShuffleState) {
    this.#words = state.words.slice();
    this.#order = state.order.slice();
  }

  /** `seed`: an integer from 0 to 2⁵³ − 1. */
  static of(seed: number, count: number): SeededShuffle {
    return new SeededShuffle({
      words: seededWords(seed),
      order: Int32Array.from({ length: count }, (_, i) => i),
    });
  }

  get state(): ShuffleState {
    return { words: this.#words.slice(), order: this.#order.slice() };
  }

  /**
   * Shuffles again. Several indices come from one random number, as long as the product of their bounds fits 32 bits.
   * Returns the order, to be copied before the next call.
   */
  next(): Int32Array {
    const order = this.#order;
    let chunk = 0;
    // The first index is 0 whatever is drawn.
    let left = 1;
    for (let i = 0; i < order.length; i++) {
      const bound = i + 1;
      if (left === 0) {
        let product = bound;
        let next = bound + 1;
        while (product * next < twoTo32) product *= next++;
        left = next - bound;
        chunk = this.#below(product);
      }
      left--;
      const index = left === 0 ? chunk : chunk % bound;
      if (left > 0) chunk = (chunk - index) / bound;
      const moved = order[i]!;
      order[i] = order[index]!;
      order[index] = moved;
    }
    return order;
  }

  /** An integer from 0 to `bound` − 1: the upper half of a product, plus the carry of a second one (Canon 2022). */
  #below(bound: number): number {
    const product = multiplied(this.#next32(), bound);
    const { low } = product;
    if (low <= twoTo32 - bound) return product.high;
    const { high: carried } = multiplied(this.#next32(), bound);
    return low + carried >= twoTo32 ? product.high + 1 : product.high;
  }

  /** The upper half of the next 64 bits. */
  #next32(): number {
    const w = this.#words;
    const [low0, high0, low1, high1] = [w[0]!, w[1]!, w[2]!, w[3]!];
    const [low3, high3] = [w[6]!, w[7]!];
    // rotate(s0 + s3, 23) + s0
    const sumLow = low0 + low3;
    const sumHigh = (high0 + high3 + (sumLow >= twoTo32 ? 1 : 0)) >>> 0;
    const rotatedLow = ((sumLow << 23) | (sumHigh >>> 9)) >>> 0;
    const rotatedHigh = ((sumHigh << 23) | ((sumLow >>> 0) >>> 9)) >>> 0;
    const result = (rotatedHigh + high0 + (rotatedLow + low0 >= twoTo32 ? 1 : 0)) >>> 0;
    const shiftedLow = low1 << 17;
    const shiftedHigh = (high1 << 17) | (low1 >>> 15);
    const [mixed2Low, mixed2High] = [w[4]! ^ low0, w[5]! ^ high0];
    const [mixed3Low, mixed3High] = [low3 ^ low1, high3 ^ high1];
    w[2] = low1 ^ mixed2Low;
    w[3] = high1 ^ mixed2High;
    w[0] = low0 ^ mixed3Low;
    w[1] = high0 ^ mixed3High;
    w[4] = mixed2Low ^ shiftedLow;
    w[5] = mixed2High ^ shiftedHigh;
    // rotate(s3, 45) is a swap of the halves and a rotation by 13.
    w[6] = (mixed3High << 13) | (mixed3Low >>> 19);
    w[7] = (mixed3Low << 13) | (mixed3High >>> 19);
    return result;
  }
}

function multiplied(a: number, b: number): { high: number; low: number } {
  const lower = (a & 0xffff) * b;
  const upper = (a >>> 16) * b + Math.floor(lower / 0x10000);
  return { high: Math.floor(upper / 0x10000), low: (upper % 0x10000) * 0x10000 + (lower % 0x10000) };
}

/** SplitMix64; used for few numbers, so slow 64-bit arithmetic is acceptable. */
function seededWords(seed: number): Uint32Array {
  const words = new Uint32Array(8);
  let state = BigInt(seed);
  for (let i = 0; i < 4; i++) {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let mixed = state;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    mixed ^= mixed >> 31n;
    words[2 * i] = Number(mixed & 0xffffffffn);
    words[2 * i + 1] = Number(mixed >> 32n);
  }
  return words;
}
