/** The random generator sfc32 of PractRand, with the same numbers on every machine. */
export class SeededBits {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.imul(seed, 0x9e3779b1) | 0;
    this.#c = 0x2545f491;
    // The first outputs still resemble the seed.
    this.drawInto(new Uint32Array(16));
  }

  /** Fills the array with draws from 0 to 2^32 - 1. Faster than single draws: the state stays in registers. */
  drawInto(out: Uint32Array): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let counter = this.#counter;
    for (let i = 0; i < out.length; i++) {
      const draw = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + draw) | 0;
      out[i] = draw;
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    const one = new Uint32Array(1);
    this.drawInto(one);
    return one[0]! / 2 ** 32;
  }

  /** Standard normal, by Box and Muller; 1 - u keeps the logarithm finite. */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }
}

/** A draw of 32 bits as a number between 0 and 1, neither of them included. */
export const shareOf = (draw: number): number => (draw + 0.5) / 2 ** 32;

/** Standard normal of the pair of draws at twice the place. */
export function normalOf(draws: Uint32Array, place: number): number {
  const [radius, angle] = [shareOf(draws[2 * place]!), shareOf(draws[2 * place + 1]!)];
  return Math.sqrt(-2 * Math.log(radius)) * Math.cos(2 * Math.PI * angle);
}
