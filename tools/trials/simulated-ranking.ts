import { SeededBits } from '../../bench/src/data/seeded-bits.ts';

export const [rankedGenes, setCount] = [2000, 100];

/** A ranking of genes, the highest first, and sets of them. */
export interface SimulatedRanking {
  /** Genes by rank, and the metric of each. */
  readonly order: readonly number[];
  readonly metric: Float64Array;
  readonly sets: readonly (readonly number[])[];
  /** Whether the genes of a set rank higher. */
  readonly changed: readonly boolean[];
}

/** Sets of genes at random in a ranking; the genes of a tenth of them rank higher with an effect. */
export function simulatedRanking(seed: number, withEffect: boolean): SimulatedRanking {
  const bits = new SeededBits(seed);
  const metric = Float64Array.from({ length: rankedGenes }, () => bits.normal());
  const sets = Array.from({ length: setCount }, () => {
    const size = 15 + Math.floor(85 * bits.uniform() ** 2);
    return [...new Set(Array.from({ length: size }, () => Math.floor(rankedGenes * bits.uniform())))];
  });
  const changed = sets.map((_, set) => withEffect && set % 10 === 0);
  sets.forEach((genes, set) => {
    if (changed[set]) for (const gene of genes) metric[gene]! += 0.7;
  });
  const order = [...metric.keys()].toSorted((one, other) => metric[other]! - metric[one]!);
  return { order, metric, sets, changed };
}
