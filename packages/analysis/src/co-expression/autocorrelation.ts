import type { CountBlock } from '@cellfolio/model';
import { EntriesReader } from './gene-entries.ts';
import { type CellDepth, type GeneModel, standardised } from './gene-model.ts';
import type { LocalGraph } from './local-graph.ts';

/** Of consecutive genes, among the cells of a graph. */
export interface Autocorrelations {
  /** Row in var. */
  readonly firstGene: number;
  /** From −1 to 1; NaN where a gene has too few cells, does not vary or has a value that is missing. */
  readonly coefficients: Float64Array;
  /** In standard deviations of a gene whose values do not depend on the neighbourhood; NaN as above. */
  readonly z: Float64Array;
  /** Cells with a value other than 0. */
  readonly expressing: Int32Array;
}

export interface AutocorrelationSetting {
  readonly graph: LocalGraph;
  /** The place in the graph of each cell of the dataset; −1 for none. */
  readonly placeOf: Int32Array;
  readonly depth: CellDepth;
  readonly model: GeneModel;
  /** Genes with fewer cells are not tested. */
  readonly minCells: number;
}

/**
 * How far neighbouring cells have alike values of each gene: Σ w_ij x_i x_j over the pairs of the graph, x standardised
 * by the model, which has the expectation 0 and the variance Σ w_ij² where cells are independent (Hotspot, DeTomaso and
 * Yosef 2021, in its centred form).
 */
export function localAutocorrelations(block: CountBlock, setting: AutocorrelationSetting): Autocorrelations {
  const { graph, placeOf, depth, model, minCells } = setting;
  const geneCount = block.starts.length - 1;
  const found: Autocorrelations = {
    firstGene: block.firstGene,
    coefficients: new Float64Array(geneCount).fill(NaN),
    z: new Float64Array(geneCount).fill(NaN),
    expressing: new Int32Array(geneCount),
  };
  const entries = new EntriesReader(placeOf, graph.cellCount);
  const x = new Float64Array(graph.cellCount);
  const deviation = Math.sqrt(graph.weights.reduce((sum, weight) => sum + weight * weight, 0));
  for (let gene = 0; gene < geneCount; gene++) {
    entries.read(block, gene);
    found.expressing[gene] = entries.count;
    if (entries.count < minCells || !standardised(entries, depth, model, x)) continue;
    const sum = localSum(graph, x);
    found.z[gene] = sum / deviation;
    found.coefficients[gene] = sum / largestSum(graph, x);
  }
  return found;
}

/** Each pair of the graph once. */
function localSum({ cellCount, starts, neighbours, weights }: LocalGraph, x: Float64Array): number {
  let sum = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    let around = 0;
    for (let at = starts[cell]!; at < starts[cell + 1]!; at++) around += weights[at]! * x[neighbours[at]!]!;
    sum += x[cell]! * around;
  }
  return sum;
}

/** What the sum would be if neighbours had the same values. */
function largestSum({ degrees }: LocalGraph, x: Float64Array): number {
  let sum = 0;
  for (let cell = 0; cell < x.length; cell++) sum += degrees[cell]! * x[cell]! ** 2;
  return sum / 2;
}
