import type { GeneBlock } from '@cellfolio/model';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { blockOf, logNormalised, negativeBinomial } from './simulated-donors.ts';

/** Cells of samples along an axis, and genes of which few cells express most. */
export interface SimulatedAxis {
  /** ln(1 + 10,000 × count / counts that a cell of its size has). */
  readonly values: GeneBlock;
  readonly axis: Float64Array;
  /** Sample of each cell. */
  readonly samples: Int16Array;
  /** Whether each gene follows the axis. */
  readonly changed: readonly boolean[];
}

export interface AxisDesign {
  readonly sampleCount: number;
  /** Whether genes follow the axis in each sample in a way of its own, which no other sample shares. */
  readonly ownSlopes: boolean;
}

const geneCount = 2000;
/** Cells of a sample. */
const cellLimits = [80, 250] as const;
/** As those of `simulatedGroups`: half of the genes are in fewer than 5 % of the cells. */
const meanLog = [-3, 1.7] as const;
const cellSpread = 0.35;
/** Standard deviations of a gene's level between samples, and of its own slope in each for a standard deviation of the axis. */
const [levelSpread, slopeSpread] = [0.3, 0.3];
const changedShare = 0.1;
/** Natural logarithm of a gene's fold change from the lowest place to the highest. */
const effect = 1.6;
/** Samples lie apart on the axis by a part of its spread. */
const shift = 0.4;
/** Places are sums of two exponential ones: mean 2, and their standard deviation. */
const placeSpread = Math.SQRT2;
const kinds = [(at: number) => at, (at: number) => -at, (at: number) => 4 * at * (1 - at)];

/** A tenth of the genes rises, falls or peaks with `withEffect`. */
export function simulatedAxis(
  seed: number,
  withEffect: boolean,
  { sampleCount, ownSlopes }: AxisDesign,
): SimulatedAxis {
  const bits = new SeededBits(seed);
  const uniform = () => 1 - bits.uniform();
  const sizes = Array.from({ length: sampleCount }, () =>
    Math.round(cellLimits[0] * (cellLimits[1] / cellLimits[0]) ** bits.uniform()),
  );
  const samples = Int16Array.from(sizes.flatMap((size, sample) => new Array<number>(size).fill(sample)));
  const axis = Float64Array.from(samples, (sample) => -Math.log(uniform() * uniform()) + shift * sample);
  const spread = Float64Array.from(samples, () => Math.exp(cellSpread * bits.normal()));
  const most = axis.reduce((end, place) => Math.max(end, place), 0);
  const changed = Array.from({ length: geneCount }, () => bits.uniform() < changedShare && withEffect);
  const levels = Float64Array.from(changed, () => Math.exp(meanLog[0] + meanLog[1] * bits.normal()));
  const total = levels.reduce((sum, level) => sum + level, 0);
  const dense = new Uint16Array(geneCount * samples.length);
  const draws = new Uint32Array(samples.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const kind = kinds[gene % kinds.length]!;
    const own = sizes.map(() => levelSpread * bits.normal());
    const slopes = sizes.map(() => (ownSlopes ? slopeSpread * bits.normal() : 0));
    bits.drawInto(draws);
    samples.forEach((sample, cell) => {
      const place = (axis[cell]! - 2) / placeSpread;
      const along =
        (changed[gene] ? effect * kind(Math.min(1, axis[cell]! / most)) : 0) + slopes[sample]! * place;
      const mean = levels[gene]! * spread[cell]! * Math.exp(own[sample]! + along);
      dense[gene * samples.length + cell] = negativeBinomial((draws[cell]! + 0.5) / 2 ** 32, mean);
    });
  }
  const counts = blockOf(dense, samples.length);
  const totals = spread.map((size) => total * size);
  return { values: logNormalised(counts, totals), axis, samples, changed };
}
