import type { GeneBlock } from '@cellfolio/model';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { blockOf, logNormalised, negativeBinomial } from './simulated-donors.ts';

/** Differences between the sides. */
export interface TypesDesign {
  /** Share of a cell's counts that comes from the type with the ambient genes, in A and in B. */
  readonly ambient: readonly [number, number];
  /** Share of the cells that divide, in A and in B. */
  readonly dividing: readonly [number, number];
  /** Fold change in A of some genes that all types express, as of a response to interferon. */
  readonly response: number;
}

/** Cells of six types on two sides. */
export interface SimulatedTypes {
  readonly values: GeneBlock;
  readonly sides: Uint16Array;
  readonly types: Uint16Array;
}

const typeCount = 6;
const cellsOfType = 120;
const geneCount = 400;
/** The first genes are those that dividing cells express, the next ones those of each type, then those of a response. */
export const [cycleGenes, ownGenes, responseGenes] = [30, 20, 20];
const meanLog = [-1, 1.2] as const;
const cellSpread = 0.35;
const highFold = 10;
const divisionFold = 8;

/** Genes of the types, and of cells that divide, over a common background; RNA of the first type is in all droplets. */
export function simulatedTypes(seed: number, { ambient, dividing, response }: TypesDesign): SimulatedTypes {
  const bits = new SeededBits(5000 + seed);
  const levels = Float64Array.from({ length: geneCount }, () =>
    Math.exp(meanLog[0] + meanLog[1] * bits.normal()),
  );
  const ownOf = (gene: number) => {
    const type = Math.floor((gene - cycleGenes) / ownGenes);
    return gene >= cycleGenes && type < typeCount ? type : -1;
  };
  const respondsFrom = cycleGenes + typeCount * ownGenes;
  const profiles = Array.from({ length: typeCount }, (_, type) =>
    levels.map((level, gene) => {
      if (gene < cycleGenes) return 0.2 * level;
      // A response has levels of its own in each type.
      const responds = gene >= respondsFrom && gene < respondsFrom + responseGenes;
      const basal = responds ? level * Math.exp(0.5 * bits.normal()) : level;
      return ownOf(gene) === -1 ? basal : level * (ownOf(gene) === type ? highFold : 0.02);
    }),
  );
  const shareOf = (profile: Float64Array) => {
    const total = profile.reduce((sum, level) => sum + level, 0);
    return profile.map((level) => level / total);
  };
  // Broken cells are of the first type.
  const soup = shareOf(profiles[0]!);
  const cellCount = typeCount * 2 * cellsOfType;
  const types = Uint16Array.from({ length: cellCount }, (_, cell) => Math.floor(cell / (2 * cellsOfType)));
  const sides = Uint16Array.from({ length: cellCount }, (_, cell) => cell % 2);
  const dense = new Uint16Array(geneCount * cellCount);
  const totals = new Float64Array(cellCount);
  const draws = new Uint32Array(geneCount);
  types.forEach((type, cell) => {
    const side = sides[cell]!;
    const size = Math.exp(cellSpread * bits.normal());
    const divides = bits.uniform() < dividing[side]!;
    bits.drawInto(draws);
    const profile = profiles[type]!;
    const total = profile.reduce((sum, level) => sum + level, 0);
    for (let gene = 0; gene < geneCount; gene++) {
      const isRising = side === 0 && gene >= respondsFrom && gene < respondsFrom + responseGenes;
      const own =
        profile[gene]! * (divides && gene < cycleGenes ? divisionFold : 1) * (isRising ? response : 1);
      const mean = size * ((1 - ambient[side]!) * own + ambient[side]! * total * soup[gene]!);
      const count = negativeBinomial((draws[gene]! + 0.5) / 2 ** 32, mean);
      dense[gene * cellCount + cell] = count;
      totals[cell]! += count;
    }
  });
  const counts = blockOf(dense, cellCount);
  return { values: logNormalised(counts, totals), sides, types };
}
