/** Seeds of the steps that draw at random: the same for every dataset, so that the same counts give the same result. */
export const seeds = {
  components: 0,
  doublets: 0,
  harmony: 0,
  neighbours: 0,
  /** Seed of the first try; each further one has the next. */
  leiden: 0,
  umapStart: 1,
  umapVectors: 0,
} as const;

/** Seeded numbers in [0, 1): xoshiro128** (Blackman & Vigna 2021, doi:10.1145/3460772). */
export function seededRandom(seed: number): () => number {
  const next = splitMix(seed);
  let [a, b, c, d] = [next(), next(), next(), next()];
  return () => {
    const scaled = Math.imul(b, 5);
    const result = Math.imul((scaled << 7) | (scaled >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return (result >>> 0) / 4_294_967_296;
  };
}

/** Random permutation of 0 up to `count`. `random` gives numbers in [0, 1). */
export function shuffled(count: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const swapped = order[at]!;
    order[at] = order[other]!;
    order[other] = swapped;
  }
  return order;
}

function splitMix(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}
