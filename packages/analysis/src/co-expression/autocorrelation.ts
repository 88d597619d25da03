import type { CountBlock } from '@cellfolio/model';
import { EntriesReader } from './gene-entries.ts';
import { type CellDepth, type GeneModel, standardised } from './gene-model.ts';
import { SeededShuffle } from '../random/seeded-shuffle.ts';
import { skewedUpperTail } from '../statistics/gamma-tail.ts';
import type { GraphMoments, LocalGraph } from './local-graph.ts';

export interface Autocorrelations {
  readonly firstGene: number;
  /** From −1 to 1; NaN if a gene has too few cells, does not vary or has a missing value. */
  readonly coefficients: Float64Array;
  /** In standard deviations of a gene whose values do not depend on the neighbourhood, as Hotspot has it; NaN as above. */
  readonly z: Float64Array;
  /** One-sided, where the same values are dealt to the cells at random; NaN as above. */
  readonly p: Float64Array;
  /** Skewness of z then, 0 for a normal distribution. */
  readonly skewness: Float64Array;
  readonly expressing: Int32Array;
}

export interface AutocorrelationSetting {
  readonly graph: LocalGraph;
  /** Index in the graph of each cell of the dataset; −1 for none. */
  readonly placeOf: Int32Array;
  readonly depth: CellDepth;
  readonly model: GeneModel;
  readonly minCells: number;
}

/**
 * Local autocorrelation of each gene: Σ w_ij x_i x_j over the pairs of the graph, x standardised by the model. For
 * independent cells its expectation is 0 and its variance Σ w_ij² (Hotspot, DeTomaso and Yosef 2021, in its centred
 * form).
 */
export function localAutocorrelations(block: CountBlock, setting: AutocorrelationSetting): Autocorrelations {
  const { graph, placeOf, depth, model, minCells } = setting;
  const geneCount = block.starts.length - 1;
  const results: Autocorrelations = {
    firstGene: block.firstGene,
    coefficients: new Float64Array(geneCount).fill(NaN),
    z: new Float64Array(geneCount).fill(NaN),
    p: new Float64Array(geneCount).fill(NaN),
    skewness: new Float64Array(geneCount).fill(NaN),
    expressing: new Int32Array(geneCount),
  };
  const entries = new EntriesReader(placeOf, graph.cellCount);
  const x = new Float64Array(graph.cellCount);
  const deviation = Math.sqrt(graph.moments.squares);
  for (let gene = 0; gene < geneCount; gene++) {
    entries.read(block, gene);
    results.expressing[gene] = entries.count;
    if (entries.count < minCells || !standardised(entries, depth, model, x)) continue;
    const sum = localSum(graph, x);
    results.z[gene] = sum / deviation;
    results.coefficients[gene] = sum / largestSum(graph, x);
    const { score, skewness } = amongRandomCells(sum, x, graph.moments);
    results.p[gene] = skewedUpperTail(score, skewness);
    results.skewness[gene] = skewness;
  }
  return results;
}

/** The same cells with their values and totals, each at a place of the graph that is drawn at random. */
export function shuffledCells(setting: AutocorrelationSetting, seed: number): AutocorrelationSetting {
  const { graph, placeOf, depth } = setting;
  const order = SeededShuffle.of(seed, graph.cellCount).next();
  const totals = new Float64Array(graph.cellCount);
  depth.totals.forEach((total, place) => (totals[order[place]!] = total));
  return {
    ...setting,
    placeOf: placeOf.map((place) => (place < 0 ? place : order[place]!)),
    depth: { ...depth, totals },
  };
}

/**
 * A local sum in standard deviations of those with the same values dealt to the cells at random, and the skewness of
 * these. Hotspot takes them for normal with the mean 0 and the variance Σ w². But three cells that are joined with each
 * other, and a gene of few cells whose values are large, make high sums more common than that: of twenty thousand genes
 * some pass by chance. The third moment of Σ w x x is Σ w³ m₃² and six times the triangles, where cells are independent.
 */
function amongRandomCells(
  sum: number,
  x: Float64Array,
  { weights, squares, cubes, triangles }: GraphMoments,
): { score: number; skewness: number } {
  const count = x.length;
  let all = 0;
  for (const value of x) all += value;
  const mean = all / count;
  let [second, third] = [0, 0];
  for (const value of x) {
    const apart = value - mean;
    second += apart ** 2;
    third += apart ** 3;
  }
  second /= count;
  third /= count;
  // Two different cells have the product of the mean, less what one leaves to the others.
  const expected = weights * (mean ** 2 - second / (count - 1));
  return {
    score: (sum - expected) / (second * Math.sqrt(squares)),
    skewness: ((cubes * third ** 2) / second ** 3 + 6 * triangles) / squares ** 1.5,
  };
}

/** Visits each pair of the graph once. */
function localSum({ cellCount, starts, neighbours, weights }: LocalGraph, x: Float64Array): number {
  let sum = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    let around = 0;
    for (let at = starts[cell]!; at < starts[cell + 1]!; at++) around += weights[at]! * x[neighbours[at]!]!;
    sum += x[cell]! * around;
  }
  return sum;
}

/** The sum if all neighbours had equal values. */
function largestSum({ degrees }: LocalGraph, x: Float64Array): number {
  let sum = 0;
  for (let cell = 0; cell < x.length; cell++) sum += degrees[cell]! * x[cell]! ** 2;
  return sum / 2;
}
