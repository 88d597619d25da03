import type { IntegrationRun } from '@cellfolio/model';

/** Cells in principal components, and the batch of each. */
export interface BatchedCells {
  /** `components` for each cell, cell after cell. */
  readonly coordinates: Float64Array;
  readonly components: number;
  /** Per cell, from 0. */
  readonly batches: Int32Array;
  readonly batchCount: number;
}

export type Progress = (fraction: number) => void;

/** A way to take differences between batches out of principal components. */
export interface BatchMethod {
  /** The most memory that a cell takes while it is under way, beside its coordinates as they were. */
  bytesOfCell(components: number): number;
  integrate(given: {
    readonly cells: BatchedCells;
    /** Of the batches. */
    readonly names: readonly string[];
    readonly threads: number;
    readonly onProgress: Progress;
  }): Promise<IntegratedCells>;
}

export interface IntegratedCells {
  /** Corrected coordinates, as those of the cells are laid out. */
  readonly coordinates: Float64Array;
  readonly run: IntegrationRun;
}

export interface HarmonySettings {
  /** θ: how much clusters of few batches are avoided; 0 lets them be. */
  readonly diversity: number;
  /** σ: how soft the assignment to clusters is. */
  readonly softness: number;
  /** λ: the ridge penalty of what is taken off a batch in a cluster. */
  readonly ridge: number;
  readonly maxIterations: number;
  readonly maxClusterIterations: number;
  /** Least part of the objective that another round must gain, of the whole and of the clustering. */
  readonly tolerance: number;
  readonly clusterTolerance: number;
  /** Share of the cells that are assigned anew at once. */
  readonly blockShare: number;
}

/** Each vector of `width` values over its length; one of length 0 stays. */
export function unitLength(values: Float64Array, width: number): Float64Array {
  const unit = new Float64Array(values.length);
  for (let start = 0; start < values.length; start += width) {
    let squares = 0;
    for (let at = start; at < start + width; at++) squares += values[at]! ** 2;
    const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let at = start; at < start + width; at++) unit[at] = values[at]! * factor;
  }
  return unit;
}
