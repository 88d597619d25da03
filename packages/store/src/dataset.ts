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
import type { Proteins } from './protein-table.ts';
import type { DatasetManifest } from './manifest.ts';
import type { FileGraphHead } from './file-graph.ts';
import type { GeneStatisticsReader, GroupStatistics } from './statistics/group-statistics.ts';
import type { GeneIndex } from './gene-index.ts';
import type { ReadCounters } from './zarr-reader.ts';

/** What is known of the cells [from, to): each column and embedding has to - from rows. */
export interface WantedRows {
  /** False: names are not read, and none come. */
  readonly names?: false;
  readonly columns: readonly string[];
  readonly embeddings: readonly string[];
}

export interface CellRows {
  /** Row names of obs: the barcodes. */
  readonly names: PackedStrings;
  readonly columns: readonly Column[];
  readonly embeddings: readonly Embedding[];
}

/** Raw counts of the genes of a dataset. */
export interface CountMatrix {
  /** As `Dataset.valueStarts`, of the counts: `geneBlocks` cuts by them. */
  readonly starts: Float64Array;
  /** As `Dataset.useGeneBlock`, every count exact. */
  useBlock<T>(from: number, to: number, use: (block: CountBlock) => T, signal?: AbortSignal): Promise<T>;
  /** As `Dataset.useGenes`, counts above 2²⁴ rounded to what float32 holds. */
  useGenes: Dataset['useGenes'];
}

/** A matrix entry for entry, as it is stored: for copying it. */
export interface StoredMatrix {
  readonly valueType: NumericType;
  /** As `Dataset.valueStarts`. */
  readonly starts: Float64Array;
  /** Cell of each of the entries [from, to), rising within each gene. Throws DatasetDamaged. */
  cells(from: number, to: number, options?: EntryOptions): Promise<Int32Array>;
  /** Values of the entries [from, to), 64-bit integers as Float64Array. Throws DatasetDamaged. */
  values(from: number, to: number, options?: EntryOptions): Promise<NumericArray>;
}

export interface EntryOptions {
  readonly signal?: AbortSignal | undefined;
  /** Where they come to lie, from its beginning on; absent: in memory of their own. Not for 64-bit integers. */
  readonly memory?: ArrayBufferLike | undefined;
}

/** One open dataset. obs columns and embeddings stay in memory once read; expression and proteins stay on disk. */
export interface Dataset {
  readonly manifest: DatasetManifest;
  readonly genes: GeneIndex;
  readonly counters: Readonly<ReadCounters>;
  readonly obsColumnNames: readonly string[];
  /** What the row names of obs are called. */
  readonly obsIndexName: string;
  /** Proteins that were measured beside the genes; undefined where there are none. */
  readonly proteins: Proteins | undefined;
  /** Keys of obsm that are embeddings, with the number of their dimensions. */
  readonly embeddings: readonly { readonly name: string; readonly dimensions: number }[];
  /** What is known of the graph of nearest cells that came with the file; undefined where none did. */
  readonly graphHead: FileGraphHead | undefined;
  /** That graph. Not cached. Throws DatasetDamaged. */
  graph(signal?: AbortSignal): Promise<FileGraph | undefined>;
  /** A column of obs, or a protein by its column at one read for each million cells, not cached. Throws UnknownColumn. */
  obs(name: string, signal?: AbortSignal): Promise<Column>;
  /** An entry of obsm. Throws UnknownColumn. */
  embedding(name: string, signal?: AbortSignal): Promise<Embedding>;
  /**
   * Columns of obs, proteins and embeddings for the cells [from, to) alone, at one read for each chunk of an array that holds some
   * of them. Not cached: for walking along all cells of a dataset in bounded memory. Throws UnknownColumn, RangeError,
   * DatasetDamaged.
   */
  cellRows(
    range: { readonly from: number; readonly to: number },
    wanted: WantedRows,
    signal?: AbortSignal,
  ): Promise<CellRows>;
  /** All that is known of the genes. Not cached. Throws DatasetDamaged. */
  geneTable(signal?: AbortSignal): Promise<Table>;
  /**
   * Mean of every gene over all cells, added up in float32 as scipy does it, NaN values left out; undefined where the
   * dataset was written without. Not cached.
   */
  geneMeans(signal?: AbortSignal): Promise<Float64Array | undefined>;
  /** What is stored of every gene in the groups of a column of obs; undefined where nothing is. Not cached. */
  groupStatistics(column: string, signal?: AbortSignal): Promise<GroupStatistics | undefined>;
  /**
   * Reads single genes of `groupStatistics`, of those that are asked for at the same time each chunk once; undefined
   * where nothing is stored. It holds nothing of the dataset but its metadata. What it reads is not cached.
   */
  geneStatistics(column: string, signal?: AbortSignal): Promise<GeneStatisticsReader | undefined>;
  /** Expression of one gene by its row in var: at most four reads for a dataset of any size. */
  gene(row: number, signal?: AbortSignal): Promise<GeneColumn>;
  /** Entries of X before each gene, and of all genes at the end: geneCount + 1 rising numbers, the work that genes are. */
  readonly valueStarts: Float64Array;
  /**
   * Hands over the expression of the genes [from, to) as one block, whose arrays are there only for the time of the
   * call: they are used again, as memory that is new costs as much to touch as most of what is done with a block. Two
   * reads a shard touched, and each inner chunk is decoded once, on the calling thread: it belongs into a compute
   * thread; `geneBlocks` cuts all genes into blocks of bounded size. Not cached.
   * Throws RangeError, DatasetDamaged, and what `use` throws.
   */
  useGeneBlock<T>(from: number, to: number, use: (block: GeneBlock) => T, signal?: AbortSignal): Promise<T>;
  /** The raw counts; undefined where the dataset has none. Their positions are read once. Throws DatasetDamaged. */
  counts(signal?: AbortSignal): Promise<CountMatrix | undefined>;
  /** A matrix as it is stored; undefined where the dataset has no counts. Throws DatasetDamaged. */
  storedMatrix(path: 'X' | 'layers/counts', signal?: AbortSignal): Promise<StoredMatrix | undefined>;
  /**
   * Hands over the expression of many single genes, whose rows rise, piece by piece: the place of the gene among the
   * rows, and some of its cells with their values, in order, which are there only for the time of the call. Inner
   * chunks are read once for any number of genes in them, and nothing is copied. Not cached; for a compute
   * thread. Throws RangeError, DatasetDamaged, and what `use` throws.
   */
  useGenes(
    rows: Int32Array,
    use: (place: number, cells: Int32Array, values: Float32Array) => void,
    signal?: AbortSignal,
  ): Promise<void>;
}
