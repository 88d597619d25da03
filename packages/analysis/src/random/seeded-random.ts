/** A reproducible stream of random numbers; V8 computes its logarithms identically on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** Gamma with mean = shape. */
  gamma(shape: number): number;
  /** Beta on (0, 1). */
  beta(a: number, b: number): number;
  /** Integer in [0, below). */
  integer(below: number): number;
}

/**
 * Seeds the generator sfc32 (C. Doty-Humphrey, PractRand) with the hash of a text. Separate streams for separate
 * purposes, named in the seed, keep a change in one part of a simulation from affecting all others.
 */
export function createRandom(seed: string): Random {
  let [a, b, c, d] = hashedSeed(seed);
  const uniform = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  // The first outputs still resemble the seed.
  for (let i = 0; i < 15; i++) uniform();

  const normal = (): number => {
    // Box-Muller; 1 - u keeps the logarithm finite.
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    return radius * Math.cos(2 * Math.PI * uniform());
  };
  const gamma = (shape: number): number => {
    if (shape < 1) return gamma(shape + 1) * (1 - uniform()) ** (1 / shape);
    // Marsaglia and Tsang 2000, doi:10.1145/358407.358414.
    const e = shape - 1 / 3;
    const f = 1 / Math.sqrt(9 * e);
    for (;;) {
      const x = normal();
      const v = (1 + f * x) ** 3;
      if (v > 0 && Math.log(1 - uniform()) < 0.5 * x * x + e - e * v + e * Math.log(v)) return e * v;
    }
  };
  return {
    uniform,
    normal,
    gamma,
    beta(first, second) {
      const x = gamma(first);
      return x / (x + gamma(second));
    },
    integer: (below) => Math.floor(uniform() * below),
  };
}

/** Negative binomial count with this mean and size (variance = mean + mean^2 / size). */
export function negativeBinomial(random: Random, mean: number, size: number): number {
  const u = random.uniform();
  // P(count > 0) is at most the mean: nearly all genes of a cell stop here, without a logarithm.
  if (u >= mean) return 0;
  if (mean > 50) {
    const rate = (random.gamma(size) / size) * mean;
    return Math.max(0, Math.round(rate + Math.sqrt(rate) * random.normal()));
  }
  let probability = (size / (size + mean)) ** size;
  let cumulative = probability;
  const target = 1 - u;
  const ratio = mean / (mean + size);
  let count = 0;
  // The bound only guards against rounding in the last digits of the cumulative sum.
  while (target > cumulative && count < 2000) {
    count++;
    probability *= ((count - 1 + size) / count) * ratio;
    cumulative += probability;
  }
  return count;
}

function hashedSeed(seed: string): [number, number, number, number] {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(seed)) hash = Math.imul(hash ^ byte, 0x01000193);
  const word = (salt: number): number => {
    let h = (hash + Math.imul(salt, 0x9e3779b9)) | 0;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return h ^ (h >>> 16);
  };
  return [word(1), word(2), word(3), word(4)];
}
