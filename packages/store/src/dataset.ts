import type {
  Column,
  CountBlock,
  Embedding,
  FileGraph,
  GeneBlock,
  GeneColumn,
  NumericArray,
  NumericType,
  PackedStrings,
  Table,
} from '@cellfolio/model';
import type { Asset } from './assets.ts';
import type { Carried } from './carried.ts';
import type { Proteins } from './protein-table.ts';
import type { DatasetManifest } from './manifest.ts';
import type { FileGraphHead } from './file-graph.ts';
import type { GeneStatisticsReader, GroupStatistics } from './statistics/group-statistics.ts';
import type { GeneIndex } from './gene-index.ts';
import type { ReadCounters, RowRange } from './zarr-reader.ts';

/** Selection for the cells [from, to): each column and embedding has to - from rows. */
export interface RequestedRows {
  readonly names?: false;
  readonly columns: readonly string[];
  readonly embeddings: readonly string[];
}

export interface CellRows {
  /** Row names of obs: the barcodes. */
  names: PackedStrings;
  columns: readonly Column[];
  embeddings: readonly Embedding[];
}

export interface CountMatrix {
  /** Like `Dataset.valueStarts`, for the counts: `geneBlocks` cuts by them. */
  starts: Float64Array;
  /** Like `Dataset.useGeneBlock`, with exact counts. */
  useBlock<T>(from: number, to: number, use: (block: CountBlock) => T, signal?: AbortSignal): Promise<T>;
  /** As `Dataset.useGenes`, counts above 2²⁴ rounded to what float32 holds. */
  useGenes: Dataset['useGenes'];
}

export interface StoredMatrix {
  readonly valueType: NumericType;
  readonly starts: Float64Array;
  /** Cell of each of the entries [from, to), rising within each gene. Throws DatasetDamaged. */
  cells(from: number, to: number, options?: EntryOptions): Promise<Int32Array>;
  /** Values of the entries [from, to), 64-bit integers as Float64Array. Throws DatasetDamaged. */
  values(from: number, to: number, options?: EntryOptions): Promise<NumericArray>;
}

export interface EntryOptions {
  signal?: AbortSignal | undefined;
  /** Destination of the entries, from its beginning; default newly allocated. Not for 64-bit integers. */
  memory?: ArrayBufferLike | undefined;
}

/**
 * One open dataset. obs columns and embeddings are cached in memory once read; expression and proteins stay on disk.
 */
export interface Dataset {
  readonly manifest: DatasetManifest;
  readonly genes: GeneIndex;
  readonly counters: Readonly<ReadCounters>;
  readonly obsColumnNames: readonly string[];
  readonly obsIndexName: string;
  /** Proteins measured beside the genes; undefined if there are none. */
  readonly proteins: Proteins | undefined;
  /** Keys of obsm that are embeddings, with their dimensions. */
  readonly embeddings: readonly { readonly name: string; readonly dimensions: number }[];
  readonly assets: readonly Asset[];
  /**
   * The bytes [from, to) of an asset, or all of them, with one read per mebibyte. Not cached. Throws UnknownColumn,
   * RangeError, DatasetDamaged.
   */
  asset(name: string, range?: RowRange, signal?: AbortSignal): Promise<Uint8Array>;
  /** Parts of the file that are not interpreted; undefined if there are none. */
  readonly carried: Carried | undefined;
  readonly graphHead: FileGraphHead | undefined;
  /** Reads the neighbour graph. Not cached. Throws DatasetDamaged. */
  graph(signal?: AbortSignal): Promise<FileGraph | undefined>;
  /** A column of obs, or a protein by its column with one read per million cells, not cached. Throws UnknownColumn. */
  obs(name: string, signal?: AbortSignal): Promise<Column>;
  /** An entry of obsm. Throws UnknownColumn. */
  embedding(name: string, signal?: AbortSignal): Promise<Embedding>;
  /**
   * Columns of obs, proteins and embeddings for only the cells [from, to), with one read per chunk that contains some
   * of them. Not cached: for iterating over all cells of a dataset in bounded memory. Throws UnknownColumn, RangeError,
   * DatasetDamaged.
   */
  cellRows(
    range: { readonly from: number; readonly to: number },
    wanted: RequestedRows,
    signal?: AbortSignal,
  ): Promise<CellRows>;
  /** Full gene table. Not cached. Throws DatasetDamaged. */
  geneTable(signal?: AbortSignal): Promise<Table>;
  /**
   * Mean of every gene over all cells, summed in float32 as in scipy, ignoring NaN; undefined if the dataset was
   * written without. Not cached.
   */
  geneMeans(signal?: AbortSignal): Promise<Float64Array | undefined>;
  /** Stored statistics of every gene in the groups of an obs column; undefined if there are none. Not cached. */
  groupStatistics(column: string, signal?: AbortSignal): Promise<GroupStatistics | undefined>;
  /**
   * Reads single genes of `groupStatistics`, each chunk once for simultaneous requests; undefined if nothing is stored.
   * Holds only the dataset's metadata; results are not cached.
   */
  geneStatistics(column: string, signal?: AbortSignal): Promise<GeneStatisticsReader | undefined>;
  /** Expression of one gene by its row in var: at most four reads for a dataset of any size. */
  gene(row: number, signal?: AbortSignal): Promise<GeneColumn>;
  /** Entries of X before each gene, then in total: geneCount + 1 rising numbers, a measure of each gene's work. */
  readonly valueStarts: Float64Array;
  /**
   * Passes the expression of genes [from, to) as one block, whose arrays are valid only during the call: they are
   * reused, since touching new memory costs as much as most of the work on a block. Two reads per touched shard, and
   * each inner chunk is decoded once, on the calling thread: call it in a compute thread; `geneBlocks` cuts all genes
   * into blocks of bounded size. Not cached. Throws RangeError, DatasetDamaged, and the error of `use`.
   */
  useGeneBlock<T>(from: number, to: number, use: (block: GeneBlock) => T, signal?: AbortSignal): Promise<T>;
  /** Raw counts; undefined if the dataset has none. Their positions are read once. Throws DatasetDamaged. */
  counts(signal?: AbortSignal): Promise<CountMatrix | undefined>;
  /** A matrix as stored; undefined if the dataset has no counts. Throws DatasetDamaged. */
  storedMatrix(path: 'X' | 'layers/counts', signal?: AbortSignal): Promise<StoredMatrix | undefined>;
  /**
   * Passes the expression of many single genes, with rising rows, piece by piece: the index of the gene among the rows,
   * and some of its cells with their values, in order, valid only during the call. Inner chunks are read once for any
   * number of genes in them, and nothing is copied. Not cached; for a compute thread. Throws RangeError,
   * DatasetDamaged, and the error of `use`.
   */
  useGenes(
    rows: Int32Array,
    use: (place: number, cells: Int32Array, values: Float32Array) => void,
    signal?: AbortSignal,
  ): Promise<void>;
}
