import type { GeneBlock } from '@cellfolio/model';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { geneCount, logNormalised, simulatedDonors } from './simulated-donors.ts';

export interface DepthDesign {
  /** Share of its counts that a cell of A keeps. */
  readonly share: number;
  readonly withEffect: boolean;
  /** Whether A and B are of four donors each; else each of eight donors has cells on both sides. */
  readonly isBetween: boolean;
}

/** Cells of eight donors on two sides, of which A was sequenced less deeply. */
export interface SimulatedDepth {
  readonly counts: GeneBlock;
  /** ln(1 + 10,000 × count / counts of the cell). */
  readonly values: GeneBlock;
  /** Counts of each cell. */
  readonly totals: Float64Array;
  /** 0 in A, 1 in B. */
  readonly sides: Int8Array;
  readonly donors: Int8Array;
  /** 1 where A has more, -1 where B has, 0 for most genes. */
  readonly changes: Int8Array;
}

const changedShare = 0.1;
/** One side of a changed gene keeps this part of its counts: a fold change of 2.3. */
const changedTo = 1 / 2.3;

/** Thins cells of donors that do not differ; a changed gene is thinned once more on one side. */
export function simulatedDepth(seed: number, { share, withEffect, isBetween }: DepthDesign): SimulatedDepth {
  const { counts, donors } = simulatedDonors(seed, false, { perSide: 4, isPaired: false, times: 2 });
  const bits = new SeededBits(1000 + seed);
  const sides = donors.map((donor, cell) => (isBetween ? Number(donor >= 4) : cell % 2));
  const changes = Int8Array.from({ length: geneCount }, () => {
    const [chosen, sign] = [bits.uniform(), bits.uniform()];
    return !withEffect || chosen >= changedShare ? 0 : sign < 0.5 ? 1 : -1;
  });
  const totals = new Float64Array(donors.length);
  const left = new Float32Array(counts.values.length);
  for (let gene = 0; gene < geneCount; gene++) {
    const lowerSide = changes[gene] === 0 ? -1 : changes[gene] === 1 ? 1 : 0;
    for (let at = counts.starts[gene]!; at < counts.starts[gene + 1]!; at++) {
      const cell = counts.cells[at]!;
      const side = sides[cell]!;
      const chance = (side === 0 ? share : 1) * (side === lowerSide ? changedTo : 1);
      left[at] = chance === 1 ? counts.values[at]! : binomial(bits, counts.values[at]!, chance);
      totals[cell]! += left[at]!;
    }
  }
  const thinned = { ...counts, values: left };
  return {
    counts: thinned,
    values: logNormalised(thinned, totals),
    totals,
    sides,
    donors,
    changes,
  };
}

function binomial(bits: SeededBits, count: number, chance: number): number {
  let left = 0;
  for (let one = 0; one < count; one++) if (bits.uniform() < chance) left++;
  return left;
}
