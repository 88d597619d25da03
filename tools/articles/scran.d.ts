/** The part of scran.js that is used here; it comes without types. */
declare module 'scran.js' {
  interface Freed {
    free(): void;
  }
  interface NeighborIndex extends Freed {}
  interface Cells {
    readonly numberOfDims: number;
    readonly numberOfCells: number;
  }
  function initialize(options: { readonly numberOfThreads: number }): Promise<void>;
  function terminate(): Promise<void>;
  function initializeSparseMatrixFromSparseArrays(
    rows: number,
    columns: number,
    values: Float32Array,
    indices: Int32Array,
    pointers: Int32Array,
    options: { readonly byRow: boolean; readonly forceInteger: boolean; readonly layered: boolean },
  ): Freed;
  function modelGeneVariances(matrix: Freed): Freed;
  function chooseHvgs(variances: Freed, options: { readonly number: number }): Freed;
  function runPca(
    matrix: Freed,
    options: { readonly features: Freed; readonly numberOfPCs: number },
  ): Freed & {
    numberOfPCs(): number;
    principalComponents(options: { readonly copy: boolean }): Float64Array;
  };
  function buildNeighborSearchIndex(
    values: Float64Array,
    options: Cells & { readonly approximate: boolean },
  ): NeighborIndex;
  function runUmap(
    index: NeighborIndex,
    options: { readonly neighbors: number; readonly minDist: number; readonly epochs: number },
  ): { readonly x: Float64Array; readonly y: Float64Array };
  function findNearestNeighbors(
    index: NeighborIndex,
    k: number,
  ): Freed & { serialize(): { readonly indices: Int32Array } };
  function mnnCorrect(
    values: Float64Array,
    blocks: Int32Array,
    options: Cells & { readonly k: number; readonly approximate: boolean },
  ): Float64Array;
  function clusterKmeans(values: Float64Array, clusters: number, options: Cells): { clusters(): Int32Array };
}
