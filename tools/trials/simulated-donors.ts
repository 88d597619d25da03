import type { GeneBlock } from '@cellfolio/model';
import { SeededBits, shareOf } from '../../bench/src/data/seeded-bits.ts';
import { geneBlock } from '../../bench/src/data/sparse-rows.ts';

export interface DonorsDesign {
  perSide: number;
  /** Each donor has a sample of both conditions, equal except for variation between samples; donors are then pairs. */
  isPaired: boolean;
  /** Multiplier of the cells per donor; 1 by default. */
  times?: number;
}

export interface SimulatedDonors extends DonorsDesign {
  /** Raw counts, and ln(1 + 10,000 × count / counts of the cell). */
  counts: GeneBlock;
  values: GeneBlock;
  /**
   * Sample of each cell; the second half of the samples is treated. In pairs, sample i belongs to sample i + `perSide`.
   */
  donors: Int8Array;
  /** Natural logarithm of each gene's fold change under treatment; 0 for most. */
  effects: Float64Array;
}

/** Design of the figure and the table in docs/false-discoveries.md. */
const eightDonors: DonorsDesign = { perSide: 4, isPaired: false };
export const geneCount = 600;
/** Range of the cells per donor, drawn log-uniformly. */
const cellLimits = [50, 200] as const;
/** Mean and standard deviation of the natural logarithm of a gene's mean count in a cell. */
const meanLog = [-1, 1.3] as const;
/** Range of the standard deviation of a gene's level between donors, on a log scale. */
const donorLimits = [0.1, 0.5] as const;
/** Standard deviation of the cells' sizes, on a log scale. */
const cellSpread = 0.35;
/** Dispersion between the cells of a donor. */
const cellDispersion = 0.4;
const changedShare = 0.1;
/** Mean and standard deviation of the size of an effect, in log2. */
const effectSize = [1.2, 0.3] as const;

/** Negative binomial counts about means that vary between donors; with `withEffect` a tenth of the genes changes. */
export function simulatedDonors(
  seed: number,
  withEffect: boolean,
  { perSide, isPaired, times = 1 }: DonorsDesign = eightDonors,
): SimulatedDonors {
  const bits = new SeededBits(seed);
  const levels = Float64Array.from({ length: geneCount }, () =>
    Math.exp(meanLog[0] + meanLog[1] * bits.normal()),
  );
  const effects = Float64Array.from({ length: geneCount }, () => {
    const [chosen, size, sign] = [bits.uniform(), bits.normal(), bits.uniform()];
    if (!withEffect || chosen >= changedShare) return 0;
    return Math.LN2 * (effectSize[0] + effectSize[1] * size) * (sign < 0.5 ? 1 : -1);
  });
  const spreads = Float64Array.from(
    { length: geneCount },
    () => donorLimits[0] + (donorLimits[1] - donorLimits[0]) * bits.uniform(),
  );
  const cells = Array.from({ length: 2 * perSide }, () =>
    Math.round(times * cellLimits[0] * (cellLimits[1] / cellLimits[0]) ** bits.uniform()),
  );
  const donors = Int8Array.from(cells.flatMap((own, donor) => new Array<number>(own).fill(donor)));
  const dense = new Uint16Array(geneCount * donors.length);
  // With pairs, what both samples of a donor share; otherwise nothing is drawn.
  const shared = Array.from({ length: isPaired ? perSide : 0 }, () =>
    spreads.map((spread) => spread * bits.normal()),
  );
  const draws = new Uint32Array(geneCount);
  const totals = new Float64Array(donors.length);
  const means = new Float64Array(geneCount);
  donors.forEach((donor, cell) => {
    if (donor !== donors[cell - 1]) {
      for (let gene = 0; gene < geneCount; gene++) {
        const shift = spreads[gene]! * bits.normal() + (donor >= perSide ? effects[gene]! : 0);
        means[gene] = levels[gene]! * Math.exp(shift + (shared[donor % perSide]?.[gene] ?? 0));
      }
    }
    const size = Math.exp(cellSpread * bits.normal());
    bits.drawInto(draws);
    for (let gene = 0; gene < geneCount; gene++) {
      const count = negativeBinomial(draws[gene]!, means[gene]! * size);
      dense[gene * donors.length + cell] = count;
      totals[cell]! += count;
    }
  });
  const counts = blockOf(dense, donors.length);
  return { perSide, isPaired, counts, values: logNormalised(counts, totals), donors, effects };
}

/** Negative binomial quantile of a draw of 32 bits. */
export function negativeBinomial(draw: number, mean: number): number {
  const size = 1 / cellDispersion;
  const odds = (cellDispersion * mean) / (1 + cellDispersion * mean);
  let chance = (1 + cellDispersion * mean) ** -size;
  let rest = shareOf(draw) - chance;
  let count = 0;
  for (; rest > 0 && count < 5000; count++) {
    chance *= (odds * (count + size)) / (count + 1);
    rest -= chance;
  }
  return count;
}

/** ln(1 + 10,000 × count / total of the cell). */
export function logNormalised(counts: GeneBlock, totals: ArrayLike<number>): GeneBlock {
  const values = counts.values.map((count, at) => Math.log1p((10_000 * count) / totals[counts.cells[at]!]!));
  return { ...counts, values };
}

/** `dense`: counts gene by gene. */
export function blockOf(dense: Uint16Array, cells: number): GeneBlock {
  return geneBlock({ cells, genes: dense.length / cells }, (gene, add) => {
    for (let cell = 0; cell < cells; cell++) {
      const count = dense[gene * cells + cell]!;
      if (count > 0) add(cell, count);
    }
  });
}
