import { SeededBits } from './seeded-bits.ts';

/** Cells of one sequencing depth: what every gene does in them. */
export interface DepthLevel {
  readonly depth: number;
  /** Chance that a cell expresses the gene, in 2^-32: a 32-bit draw below it is an expressing cell. */
  readonly detected: Uint32Array;
  /** 1 / ln of that chance. */
  readonly perLog: Float64Array;
}

/** How often and how much genes are expressed: a few in nearly every cell, most in hardly any. */
export interface ExpressionModel {
  readonly geneCount: number;
  /** Mean count of each gene in a cell of depth 1. */
  readonly means: Float64Array;
  readonly levels: readonly DepthLevel[];
}

const levelCount = 12;
/** Spread of the means, as a standard deviation of their natural logarithm: real data span five decades. */
const logSpread = 2.2;
/** Greatest mean count: the likes of MALAT1 are found in every cell without filling the matrix. */
const greatestMean = 80;

/**
 * A model whose matrix has this share of non-zero values on average. Counts are geometric (a negative
 * binomial of size 1), so that P(count >= k) = P(count >= 1)^k and one draw gives presence and count.
 */
export function expressionModel(geneCount: number, density: number, seed: number): ExpressionModel {
  if (!(density > 0 && density <= 0.5)) throw new RangeError(`density must lie in (0, 0.5], not ${density}`);
  const bits = new SeededBits(seed);
  const shape = Float64Array.from({ length: geneCount }, () => Math.exp(logSpread * bits.normal()));
  // Depths from 0.4 to 2.5 times the usual.
  const depths = Array.from({ length: levelCount }, (_, i) => 0.4 * 6.25 ** (i / (levelCount - 1)));
  const meansAt = (logScale: number) => shape.map((one) => Math.min(greatestMean, one * Math.exp(logScale)));
  let low = -40;
  let high = 40;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (shareDetected(meansAt(middle), depths) < density) low = middle;
    else high = middle;
  }
  const means = meansAt(low);
  return { geneCount, means, levels: depths.map((depth) => depthLevel(means, depth)) };
}

function shareDetected(means: Float64Array, depths: readonly number[]): number {
  let sum = 0;
  for (const depth of depths) for (const mean of means) sum += (mean * depth) / (1 + mean * depth);
  return sum / (means.length * depths.length);
}

function depthLevel(means: Float64Array, depth: number): DepthLevel {
  const chances = means.map((mean) => (mean * depth) / (1 + mean * depth));
  return {
    depth,
    detected: Uint32Array.from(chances, (chance) => Math.floor(chance * 2 ** 32)),
    perLog: chances.map((chance) => 1 / Math.log(chance)),
  };
}
