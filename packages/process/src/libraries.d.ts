/** The parts of scran.js that are used here; the library has no types. */
declare module 'scran.js' {
  export interface Released {
    free(): void;
  }
  export interface ClusterKmeansResults extends Released {
    /** Dimensions x clusters, one cluster after the other. */
    centers(): Float64Array;
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
}
