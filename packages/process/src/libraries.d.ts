/** The parts of scran.js that are used here; the library brings no types. */
declare module 'scran.js' {
  export interface Released {
    free(): void;
  }
  export interface ClusterKmeansResults extends Released {
    /** Dimensions x clusters, one cluster after the other. */
    centers(): Float64Array;
  }
  export type BuildNeighborSearchIndexResults = Released;
  export interface FindNearestNeighborsResults extends Released {
    serialize(): { runs: Int32Array; indices: Int32Array; distances: Float64Array };
  }

  export function initialize(options?: { numberOfThreads?: number }): Promise<boolean>;
  export function terminate(): void;
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
  export function buildNeighborSearchIndex(
    coordinates: Float64Array,
    options: { numberOfDims: number; numberOfCells: number; approximate?: boolean },
  ): BuildNeighborSearchIndexResults;
  export function findNearestNeighbors(
    index: BuildNeighborSearchIndexResults,
    neighbours: number,
  ): FindNearestNeighborsResults;
}
