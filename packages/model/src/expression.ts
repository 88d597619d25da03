import type { NumericArray } from './column.ts';

/** Expression of one gene over the cells of a dataset: only the non-zero cells. */
export interface GeneColumn {
  /** Number of cells of the dataset, not of entries. */
  readonly cellCount: number;
  /** Rising row numbers in obs of the expressing cells. */
  readonly cells: Int32Array;
  /** Value of each of those cells: log1p of counts per 10,000, unless the dataset's warnings say otherwise. */
  readonly values: Float32Array;
}

/** Expression of consecutive genes: columns `firstGene` to `firstGene + geneCount` of the matrix, as CSC. */
export interface GeneBlock {
  readonly cellCount: number;
  readonly firstGene: number;
  /** geneCount + 1 rising positions from 0: gene i of the block has the entries [starts[i], starts[i + 1]). */
  readonly starts: Float64Array;
  /** Row numbers in obs, rising within each gene. */
  readonly cells: Int32Array;
  readonly values: Float32Array;
}

/** Raw counts of consecutive genes: float32 if it holds all of them. */
export interface CountBlock extends Omit<GeneBlock, 'values'> {
  readonly values: Float32Array | Float64Array;
}

/** Maximum number of entries of a gene. */
export function largestGene({ starts }: Pick<GeneBlock, 'starts'>): number {
  let largest = 0;
  for (let gene = 0; gene + 1 < starts.length; gene++) {
    largest = Math.max(largest, starts[gene + 1]! - starts[gene]!);
  }
  return largest;
}

/** Coordinates of every cell in an `obsm` entry. */
export interface Embedding {
  readonly name: string;
  readonly dimensions: number;
  /** rowCount x dimensions, row-major. */
  readonly values: Float32Array | Float64Array;
}

export interface CellMask {
  /** One byte per cell: 1 if the cell belongs to the subset. */
  readonly bits: Uint8Array;
  readonly count: number;
}

/** Values of a gene, with zeros for the cells that do not express it: cellCount values. */
export function denseValues(gene: GeneColumn): Float32Array {
  const dense = new Float32Array(gene.cellCount);
  const { cells, values } = gene;
  for (let i = 0; i < cells.length; i++) dense[cells[i]!] = values[i]!;
  return dense;
}

/** Copy in shared memory, which passes between threads without copying. */
export function sharedCopy<T extends NumericArray>(values: T): T {
  const kind = values.constructor as new (memory: SharedArrayBuffer) => T;
  const shared = new kind(new SharedArrayBuffer(values.byteLength));
  shared.set(values);
  return shared;
}

export function sharedMask({ bits, count }: CellMask): CellMask {
  return { bits: sharedCopy(bits), count };
}

/** Square sparse matrix of cells, by row: cell i has the entries [starts[i], starts[i + 1]). */
export interface CellRowEntries {
  readonly starts: Int32Array;
  readonly cells: Int32Array;
  readonly values: Float32Array | Float64Array;
}

/** Origin of a file's graph, as far as the file says: truncated texts of its author. */
export interface GraphOrigin {
  readonly metric?: string;
  /** Key in obsm. */
  readonly representation?: string;
  /** Number of its dimensions used. */
  readonly components?: number;
}

/** Nearest-neighbour graph from a file, as scanpy's `pp.neighbors` leaves it in obsp. */
export interface FileGraph {
  readonly origin: GraphOrigin;
  /** Symmetric weights above 0. */
  readonly connectivities: CellRowEntries;
  /** Distances from each cell to its nearest others, at least 0; the cell itself is not included. */
  readonly distances: CellRowEntries;
}
