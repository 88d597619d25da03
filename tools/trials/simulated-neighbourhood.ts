import type { GeneBlock } from '@cellfolio/model';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { blockOf, negativeBinomial } from './simulated-donors.ts';

/** Cells in components, and raw counts of genes of which few cells express most. */
export interface SimulatedNeighbourhood {
  readonly counts: GeneBlock;
  /** Cell after cell. */
  readonly points: Float32Array<ArrayBuffer>;
  readonly dimensions: number;
  /** Nearest cells of each in the graph. */
  readonly neighbours: number;
  /** Whether each gene rises along a component. */
  readonly changed: readonly boolean[];
}

const [cellCount, geneCount, dimensions, neighbours] = [1500, 2000, 10, 30];
/** As those of `simulatedGroups`. */
const [meanLog, cellSpread] = [[-3, 1.7], 0.35] as const;
const changedShare = 0.1;
/** Natural logarithm of a fold change for a standard deviation of the component. */
const slope = 0.5;

/** Genes do not depend on where a cell is, but a tenth of them with `withEffect`. */
export function simulatedNeighbourhood(seed: number, withEffect: boolean): SimulatedNeighbourhood {
  const bits = new SeededBits(seed);
  const points = Float32Array.from({ length: cellCount * dimensions }, () => bits.normal());
  const spread = Float64Array.from({ length: cellCount }, () => Math.exp(cellSpread * bits.normal()));
  const changed = Array.from({ length: geneCount }, () => bits.uniform() < changedShare && withEffect);
  const dense = new Uint16Array(geneCount * cellCount);
  const draws = new Uint32Array(cellCount);
  changed.forEach((isChanged, gene) => {
    const level = Math.exp(meanLog[0] + meanLog[1] * bits.normal());
    bits.drawInto(draws);
    for (let cell = 0; cell < cellCount; cell++) {
      const along = isChanged ? slope * points[cell * dimensions + (gene % dimensions)]! : 0;
      const mean = level * spread[cell]! * Math.exp(along);
      dense[gene * cellCount + cell] = negativeBinomial((draws[cell]! + 0.5) / 2 ** 32, mean);
    }
  });
  return { counts: blockOf(dense, cellCount), points, dimensions, neighbours, changed };
}
