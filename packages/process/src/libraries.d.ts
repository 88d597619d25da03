/** The parts of scran.js that are used here; the library brings no types. Matrices are genes x cells. */
declare module 'scran.js' {
  export interface Released {
    free(): void;
  }
  export interface ScranMatrix extends Released {
    numberOfRows(): number;
    numberOfColumns(): number;
    column(position: number): Float64Array;
  }
  export interface PerCellRnaQcMetricsResults extends Released {
    sum(): Float64Array;
    detected(): Int32Array;
    subsetProportion(subset: number): Float64Array;
  }
  export interface SuggestRnaQcFiltersResults extends Released {
    sum(): Float64Array;
    detected(): Float64Array;
    subsetProportion(subset: number): Float64Array;
  }
  export interface ModelGeneVariancesResults extends Released {
    means(): Float64Array;
    variances(): Float64Array;
  }
  export interface RunPcaResults extends Released {
    principalComponents(): Float64Array;
    numberOfPCs(): number;
    /** Genes x components, one component after the other. */
    rotation(): Float64Array;
  }
  export interface ClusterKmeansResults extends Released {
    /** Dimensions x clusters, one cluster after the other. */
    centers(): Float64Array;
  }
  export class FindNearestNeighborsResults implements Released {
    static unserialize(
      runs: Int32Array,
      indices: Int32Array,
      distances: Float64Array,
    ): FindNearestNeighborsResults;
    free(): void;
  }
  export interface InitializeUmapResults extends Released {
    extractCoordinates(): { x: Float64Array; y: Float64Array };
  }

  export function initialize(options?: { numberOfThreads?: number }): Promise<boolean>;
  export function terminate(): void;
  export function heapSize(): number;
  export function initializeSparseMatrixFromSparseArrays(
    rows: number,
    columns: number,
    values: ArrayLike<number>,
    indices: ArrayLike<number>,
    pointers: ArrayLike<number>,
    options?: { byRow?: boolean; forceInteger?: boolean; layered?: boolean },
  ): ScranMatrix;
  export function cbind(matrices: readonly ScranMatrix[]): ScranMatrix;
  export function rbind(matrices: readonly ScranMatrix[]): ScranMatrix;
  export function perCellRnaQcMetrics(
    matrix: ScranMatrix,
    subsets: readonly ArrayLike<number>[],
  ): PerCellRnaQcMetricsResults;
  export function suggestRnaQcFilters(
    metrics: PerCellRnaQcMetricsResults,
    options?: { numberOfMADs?: number },
  ): SuggestRnaQcFiltersResults;
  /** Keeps the cells whose mark is 1. */
  export function filterCells(matrix: ScranMatrix, keep: ArrayLike<number>): ScranMatrix;
  export function normalizeCounts(
    matrix: ScranMatrix,
    options: { sizeFactors: ArrayLike<number>; log?: boolean },
  ): ScranMatrix;
  export function modelGeneVariances(matrix: ScranMatrix): ModelGeneVariancesResults;
  export function runPca(
    matrix: ScranMatrix,
    options?: { features?: Uint8Array; numberOfPCs?: number; realizeMatrix?: boolean; scale?: boolean },
  ): RunPcaResults;
  export function clusterKmeans(
    coordinates: Float64Array,
    clusters: number,
    options: {
      numberOfDims: number;
      numberOfCells: number;
      initMethod?: string;
      initSeed?: number;
      refineMethod?: string;
      refineLloydIterations?: number;
    },
  ): ClusterKmeansResults;
  export function initializeUmap(
    neighbours: FindNearestNeighborsResults,
    options?: { neighbors?: number },
  ): InitializeUmapResults;
}
