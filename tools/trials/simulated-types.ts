import type { GeneBlock } from '@cellfolio/model';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { blockOf, logNormalised, negativeBinomial } from './simulated-donors.ts';

/** Cells of several types of donors in two conditions, in which no gene changes in any type. */
export interface SimulatedTypes {
  /** Raw counts, and ln(1 + 10,000 × count / counts of the cell). */
  readonly counts: GeneBlock;
  readonly values: GeneBlock;
  /** Donor of each cell; the second half of the donors is treated. */
  readonly donors: Int8Array;
  readonly types: Int8Array;
}

export const typeCount = 8;
export const perSide = 4;
const geneCount = 600;
const cellsOfDonor = 300;
/** Standard deviations of natural logarithms: of the share of a type between donors, and of a gene's level between them. */
const shareSpread = 0.2;
const donorSpread = 0.1;
/**
 * Share of genes that differ between types; the next constant is the standard deviation of the natural logarithm of
 * their level.
 */
const typeGenes = 0.5;
const typeSpread = 1;
/** Mean and standard deviation of the natural logarithm of a gene's mean count in a cell. */
const meanLog = [-1, 1.3] as const;
const cellSpread = 0.35;

/** @param times how many times as large the weight of the first type is in treated donors; 1 for no change */
export function simulatedTypes(seed: number, times: number): SimulatedTypes {
  const bits = new SeededBits(seed);
  const levels = Array.from({ length: geneCount }, () => {
    const base = meanLog[0] + meanLog[1] * bits.normal();
    const spread = bits.uniform() < typeGenes ? typeSpread : 0;
    return Float64Array.from({ length: typeCount }, () => Math.exp(base + spread * bits.normal()));
  });
  const weights = Array.from({ length: 2 * perSide }, (_, donor) =>
    Array.from(
      { length: typeCount },
      (__, type) => Math.exp(shareSpread * bits.normal()) * (donor >= perSide && type === 0 ? times : 1),
    ),
  );
  const ofDonors = weights.map(() => Float64Array.from(levels, () => Math.exp(donorSpread * bits.normal())));
  const cellCount = 2 * perSide * cellsOfDonor;
  const donors = Int8Array.from({ length: cellCount }, (_, cell) => Math.floor(cell / cellsOfDonor));
  const types = donors.map((donor) => drawn(weights[donor]!, bits.uniform()));
  const dense = new Uint16Array(geneCount * cellCount);
  const draws = new Uint32Array(geneCount);
  const totals = new Float64Array(cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    const [type, ofDonor] = [types[cell]!, ofDonors[donors[cell]!]!];
    const size = Math.exp(cellSpread * bits.normal());
    bits.drawInto(draws);
    for (let gene = 0; gene < geneCount; gene++) {
      const mean = levels[gene]![type]! * ofDonor[gene]! * size;
      const count = negativeBinomial((draws[gene]! + 0.5) / 2 ** 32, mean);
      dense[gene * cellCount + cell] = count;
      totals[cell]! += count;
    }
  }
  const counts = blockOf(dense, cellCount);
  return { counts, values: logNormalised(counts, totals), donors, types };
}

/** The type that a draw from 0 to 1 falls on. */
function drawn(weights: readonly number[], draw: number): number {
  let rest = draw * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex((weight) => (rest -= weight) < 0);
  return found < 0 ? weights.length - 1 : found;
}
