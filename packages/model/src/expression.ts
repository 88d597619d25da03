import type { NumericArray } from './column.ts';

/** Expression of one gene over the cells of a dataset: only the cells where it is not zero. */
export interface GeneColumn {
  /** Number of cells of the dataset, not of entries. */
  readonly cellCount: number;
  /** Rising row numbers in obs of the expressing cells. */
  readonly cells: Int32Array;
  /** Value of each of those cells: log1p of counts per 10,000, unless the dataset's warnings say otherwise. */
  readonly values: Float32Array;
}

/** Expression of consecutive genes: the columns `firstGene` to `firstGene + geneCount` of the matrix, as CSC. */
export interface GeneBlock {
  /** Number of cells of the dataset. */
  readonly cellCount: number;
  /** Row in var of the first gene. */
  readonly firstGene: number;
  /** geneCount + 1 rising positions from 0: gene i of the block has the entries [starts[i], starts[i + 1]). */
  readonly starts: Float64Array;
  /** Row numbers in obs, rising within each gene. */
  readonly cells: Int32Array;
  readonly values: Float32Array;
}

/** Raw counts of consecutive genes: float32 where it holds all of them. */
export interface CountBlock extends Omit<GeneBlock, 'values'> {
  readonly values: Float32Array | Float64Array;
}

/** Entries of the gene that has most of them. */
export function largestGene({ starts }: Pick<GeneBlock, 'starts'>): number {
  let largest = 0;
  for (let gene = 0; gene + 1 < starts.length; gene++) {
    largest = Math.max(largest, starts[gene + 1]! - starts[gene]!);
  }
  return largest;
}

/** Coordinates of every cell in an `obsm` entry. */
export interface Embedding {
  /** Key in obsm, such as `X_umap`. */
  readonly name: string;
  readonly dimensions: number;
  /** rowCount x dimensions, row after row. */
  readonly values: Float32Array | Float64Array;
}

/** A chosen part of the cells of a dataset. */
export interface CellMask {
  /** One byte a cell: 1 if the cell belongs to the part. */
  readonly bits: Uint8Array;
  /** How many are 1. */
  readonly count: number;
}

/** The values of a gene with a zero for each cell that does not express it: cellCount values. */
export function denseValues(gene: GeneColumn): Float32Array {
  const dense = new Float32Array(gene.cellCount);
  const { cells, values } = gene;
  for (let i = 0; i < cells.length; i++) dense[cells[i]!] = values[i]!;
  return dense;
}

/** A copy in shared memory: handing it from thread to thread copies nothing. */
export function sharedCopy<T extends NumericArray>(values: T): T {
  const kind = values.constructor as new (memory: SharedArrayBuffer) => T;
  const shared = new kind(new SharedArrayBuffer(values.byteLength));
  shared.set(values);
  return shared;
}

/** A copy in shared memory. */
export function sharedMask({ bits, count }: CellMask): CellMask {
  return { bits: sharedCopy(bits), count };
}

/** A square sparse matrix of cells, row after row: cell i has the entries [starts[i], starts[i + 1]). */
export interface CellRowEntries {
  readonly starts: Int32Array;
  readonly cells: Int32Array;
  readonly values: Float32Array | Float64Array;
}

/** How the graph of a file was made, as far as the file says: texts of its author, cut. */
export interface GraphOrigin {
  readonly metric?: string;
  /** Key of obsm. */
  readonly representation?: string;
  /** Dimensions of it that were taken. */
  readonly components?: number;
}

/** The graph of nearest cells that a file brought along, as scanpy's `pp.neighbors` leaves it in obsp. */
export interface FileGraph {
  readonly origin: GraphOrigin;
  /** Symmetric weights above 0. */
  readonly connectivities: CellRowEntries;
  /** From each cell to its nearest others, at least 0; the cell itself is not among them. */
  readonly distances: CellRowEntries;
}
