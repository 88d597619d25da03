import { blockStatistics, cellGroups, type GroupRanking, markerTest, rankGenes } from '@cellfolio/analysis';
import type { GeneBlock } from '@cellfolio/model';
import { categorical } from '../../bench/src/data/generated-file.ts';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { blockOf, logNormalised, negativeBinomial } from './simulated-donors.ts';

const geneCount = 2000;
/**
 * Mean and standard deviation of the natural logarithm of a gene's mean count in a cell: half of the genes are in fewer
 * than 5 % of the cells, as in real data.
 */
const meanLog = [-3, 1.7] as const;
/** Standard deviation of the cells' sizes, on a log scale. */
const cellSpread = 0.35;
/** Share of the genes that change with an effect. */
const changedShare = 0.1;

/** Cells of one sample in groups. */
interface SimulatedGroups {
  /**
   * ln(1 + 10,000 × count / counts that a cell of its size has without markers), so that markers do not change the
   * values of other genes.
   */
  values: GeneBlock;
  codes: Int8Array;
  markerOf: Int8Array;
  expressing: Float64Array;
}

const groupedCells = 3000;
export const groupShares = [0.6, 0.29, 0.1, 0.01];
const markerShare = 0.2;
const markerFold = 4;

export function simulatedGroups(seed: number, withMarkers: boolean): SimulatedGroups {
  const bits = new SeededBits(seed);
  const levels = Float64Array.from({ length: geneCount }, () =>
    Math.exp(meanLog[0] + meanLog[1] * bits.normal()),
  );
  const markerOf = Int8Array.from({ length: geneCount }, () => {
    const [chosen, group] = [bits.uniform(), bits.uniform()];
    return withMarkers && chosen < markerShare ? Math.floor(group * groupShares.length) : -1;
  });
  const ends = groupShares.map((_, group) =>
    Math.round(groupedCells * groupShares.slice(0, group + 1).reduce((sum, share) => sum + share, 0)),
  );
  const codes = Int8Array.from({ length: groupedCells }, (_, cell) => ends.findIndex((end) => cell < end));
  const dense = new Uint16Array(geneCount * groupedCells);
  const draws = new Uint32Array(geneCount);
  const total = levels.reduce((sum, level) => sum + level, 0);
  const sizes = new Float64Array(groupedCells);
  codes.forEach((group, cell) => {
    const size = Math.exp(cellSpread * bits.normal());
    sizes[cell] = size;
    bits.drawInto(draws);
    for (let gene = 0; gene < geneCount; gene++) {
      const mean = levels[gene]! * size * (markerOf[gene] === group ? markerFold : 1);
      dense[gene * groupedCells + cell] = negativeBinomial(draws[gene]!, mean);
    }
  });
  const counts = blockOf(dense, groupedCells);
  const totals = sizes.map((size) => total * size);
  const expressing = levels.map(
    (_, gene) => (counts.starts[gene + 1]! - counts.starts[gene]!) / groupedCells,
  );
  return { values: logNormalised(counts, totals), codes, markerOf, expressing };
}

/** All groups, in the order of their codes. */
export function groupRanking(
  { values, codes }: SimulatedGroups,
  parameters: Parameters<typeof markerTest>[0],
): GroupRanking[] {
  const test = markerTest(parameters);
  const categories = groupShares.map((share) => `${100 * share} %`);
  const groups = cellGroups(categorical(codes, categories));
  const ranking = rankGenes([blockStatistics(values, groups, test.method)], groups, test);
  return ranking.groups.map((_, place) => ranking.rank(place));
}

/** Cells of samples along an axis. */
export interface SimulatedAxis {
  /** ln(1 + 10,000 × count / counts that a cell of its size has). */
  values: GeneBlock;
  axis: Float64Array;
  /** Sample of each cell. */
  samples: Int16Array;
  /** Whether each gene follows the axis. */
  changed: readonly boolean[];
}

export interface AxisDesign {
  sampleCount: number;
  /** Whether genes follow the axis in each sample in a way of its own, which no other sample shares. */
  ownSlopes: boolean;
}

/** Cells of a sample. */
const cellLimits = [80, 250] as const;
/** Standard deviations of a gene's level between samples, and of its own slope in each for a standard deviation of the axis. */
const [levelSpread, slopeSpread] = [0.3, 0.3];
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
  const max = axis.reduce((end, place) => Math.max(end, place), 0);
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
        (changed[gene] ? effect * kind(Math.min(1, axis[cell]! / max)) : 0) + slopes[sample]! * place;
      const mean = levels[gene]! * spread[cell]! * Math.exp(own[sample]! + along);
      dense[gene * samples.length + cell] = negativeBinomial(draws[cell]!, mean);
    });
  }
  const counts = blockOf(dense, samples.length);
  const totals = spread.map((size) => total * size);
  return { values: logNormalised(counts, totals), axis, samples, changed };
}

/** Cells in components, and raw counts of their genes. */
export interface SimulatedNeighbourhood {
  counts: GeneBlock;
  /** Cell after cell. */
  points: Float32Array<ArrayBuffer>;
  dimensions: number;
  /** Nearest cells of each in the graph. */
  neighbours: number;
  /** Whether each gene rises along a component. */
  changed: readonly boolean[];
}

const [placedCells, dimensions, neighbours] = [1500, 10, 30];
/** Natural logarithm of a fold change for a standard deviation of the component. */
const slope = 0.5;

/** Genes do not depend on where a cell is, but a tenth of them with `withEffect`. */
export function simulatedNeighbourhood(seed: number, withEffect: boolean): SimulatedNeighbourhood {
  const bits = new SeededBits(seed);
  const points = Float32Array.from({ length: placedCells * dimensions }, () => bits.normal());
  const spread = Float64Array.from({ length: placedCells }, () => Math.exp(cellSpread * bits.normal()));
  const changed = Array.from({ length: geneCount }, () => bits.uniform() < changedShare && withEffect);
  const dense = new Uint16Array(geneCount * placedCells);
  const draws = new Uint32Array(placedCells);
  changed.forEach((isChanged, gene) => {
    const level = Math.exp(meanLog[0] + meanLog[1] * bits.normal());
    bits.drawInto(draws);
    for (let cell = 0; cell < placedCells; cell++) {
      const along = isChanged ? slope * points[cell * dimensions + (gene % dimensions)]! : 0;
      const mean = level * spread[cell]! * Math.exp(along);
      dense[gene * placedCells + cell] = negativeBinomial(draws[cell]!, mean);
    }
  });
  return { counts: blockOf(dense, placedCells), points, dimensions, neighbours, changed };
}

export const [rankedGenes, setCount] = [2000, 100];

/** A ranking of genes, the highest first, and sets of them. */
interface SimulatedRanking {
  /** Genes by rank, and the metric of each. */
  order: readonly number[];
  metric: Float64Array;
  sets: readonly (readonly number[])[];
  /** Whether the genes of a set rank higher. */
  changed: readonly boolean[];
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
