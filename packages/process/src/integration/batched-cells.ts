import type { IntegrationRun } from '@cellfolio/model';

export interface BatchedCells {
  coordinates: Float64Array;
  components: number;
  /** Per cell, from 0. */
  batches: Int32Array;
  batchCount: number;
}

export type Progress = (fraction: number) => void;

export interface BatchMethod {
  /** Peak memory per cell during the run, besides its original coordinates. */
  bytesOfCell(components: number): number;
  integrate(input: {
    cells: BatchedCells;
    names: readonly string[];
    threads: number;
    onProgress: Progress;
  }): Promise<IntegratedCells>;
}

export interface IntegratedCells {
  /** Corrected coordinates, in the layout of the input. */
  coordinates: Float64Array;
  run: IntegrationRun;
}

export interface HarmonySettings {
  /** θ: strength with which clusters of few batches are avoided; 0 for none. */
  diversity: number;
  /** σ: softness of the assignment to clusters. */
  softness: number;
  /** λ: ridge penalty of the correction of a batch in a cluster. */
  ridge: number;
  maxIterations: number;
  maxClusterIterations: number;
  /** Minimum relative gain in the objective for another round, of the whole and of the clustering. */
  tolerance: number;
  clusterTolerance: number;
  /** Share of the cells that are reassigned at once. */
  blockShare: number;
}

/** Scales each vector of `width` values to length 1; a zero vector stays. */
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
