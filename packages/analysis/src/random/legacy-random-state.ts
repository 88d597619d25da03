const stateWords = 624;
const shift = 397;

/**
 * Random numbers of numpy's legacy `RandomState`: a Mersenne Twister (MT19937) seeded by one 32-bit number. numpy has
 * frozen this stream, so it reproduces what scanpy draws after `np.random.seed(0)`. Not for secrets.
 */
export class LegacyRandomState {
  readonly #words = new Uint32Array(stateWords);
  #next = stateWords;

  /** Throws RangeError if the seed is not an integer from 0 to 2³² − 1, as numpy does. */
  constructor(seed: number) {
    if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) {
      throw new RangeError(`A seed is a whole number from 0 to 4294967295, not ${seed}.`);
    }
    const words = this.#words;
    let word = seed >>> 0;
    for (let i = 0; i < stateWords; i++) {
      words[i] = word;
      word = (Math.imul(1812433253, word ^ (word >>> 30)) + i + 1) >>> 0;
    }
  }

  /** The next 32 bits as an integer from 0 to 2³² − 1. */
  nextUint32(): number {
    if (this.#next === stateWords) this.#refill();
    let word = this.#words[this.#next++]!;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** An integer from 0 to `max` inclusive (max < 2³²): masks to the bits of `max`, then rejects larger numbers. */
  interval(max: number): number {
    if (max === 0) return 0;
    const mask = 0xffffffff >>> Math.clz32(max);
    for (;;) {
      const value = (this.nextUint32() & mask) >>> 0;
      if (value <= max) return value;
    }
  }

  /** 0 to `count` − 1 in random order, as `RandomState.permutation(count)`. */
  permutation(count: number): Int32Array {
    const order = new Int32Array(count);
    for (let i = 0; i < count; i++) order[i] = i;
    for (let i = count - 1; i > 0; i--) {
      const j = this.interval(i);
      const swapped = order[i]!;
      order[i] = order[j]!;
      order[j] = swapped;
    }
    return order;
  }

  /**
   * `size` distinct numbers from 0 to `count` − 1 in drawing order, as `RandomState.choice(count, size,
   * replace=False)`.
   */
  choice(count: number, size: number): Int32Array {
    if (size > count) throw new RangeError(`Cannot draw ${size} different numbers out of ${count}.`);
    return this.permutation(count).slice(0, size);
  }

  #refill(): void {
    const words = this.#words;
    for (let i = 0; i < stateWords; i++) {
      const mixed = (words[i]! & 0x80000000) | (words[(i + 1) % stateWords]! & 0x7fffffff);
      words[i] = words[(i + shift) % stateWords]! ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0);
    }
    this.#next = 0;
  }
}
