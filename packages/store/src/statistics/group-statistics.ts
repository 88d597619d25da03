import { SharedWork } from '@cellfolio/bytes';
import type { ZarrReader, StoredNumbers } from '../zarr-reader.ts';

/**
 * Statistics of every gene in each cell group of an obs column, over all cells of the dataset. All arrays have a value
 * per gene and slot, the slots of a gene adjacent: one per category in `categories` and a last one for the cells
 * without a category.
 */
export interface GroupStatistics {
  /** Codes of the non-empty categories, ascending. */
  readonly categories: Int32Array;
  /** Sums of the values, in float64. NaN if a value is. */
  readonly sums: Float64Array;
  /** Sums of the squares, each rounded to float32, as in scanpy. */
  readonly squares: Float64Array;
  /** Number of cells with a non-zero value. */
  readonly expressing: Int32Array;
}

export interface GeneStatistics {
  readonly categories: Int32Array;
  /** By category, with the cells without one last, as in `GroupStatistics`. */
  readonly sums: Float64Array;
  readonly expressing: Int32Array;
}

/** Reads one gene by its row in var, one chunk per array. Throws DatasetDamaged. */
export type GeneStatisticsReader = (row: number, signal?: AbortSignal) => Promise<GeneStatistics>;

/** Storage path of statistics; AnnData shows them in `uns`. */
export const statisticsPath = 'uns/cellfolio';
export const groupStatisticsPath = `${statisticsPath}/group_statistics`;
export const geneMeansPath = `${statisticsPath}/gene_means`;

/** Attribute of a statistics group: the name of its column, which may differ from the folder's. */
export const columnAttribute = 'column';

/** Mean of every gene over all cells; undefined if the dataset was written without. Throws DatasetDamaged. */
export async function readGeneMeans(
  nodes: ZarrReader,
  geneCount: number,
  signal?: AbortSignal,
): Promise<Float64Array | undefined> {
  if (!nodes.has(geneMeansPath)) return undefined;
  const stored = await nodes.numbers(geneMeansPath, signal);
  return float64(nodes, geneMeansPath, stored, [geneCount]);
}

export function statisticsPaths(nodes: ZarrReader): Map<string, string> {
  return new Map(
    nodes.members(groupStatisticsPath).map((path) => [String(nodes.attributes(path)[columnAttribute]), path]),
  );
}

/** Reads the statistics at a path of `statisticsPaths`. Throws DatasetDamaged. */
export async function readGroupStatistics(
  nodes: ZarrReader,
  path: string,
  geneCount: number,
  signal?: AbortSignal,
): Promise<GroupStatistics> {
  const [categories, sums, squares, expressing] = await Promise.all(
    ['categories', 'sums', 'squares', 'expressing'].map((part) => nodes.numbers(`${path}/${part}`, signal)),
  );
  const shape = [geneCount, categories!.values.length + 1];
  return {
    categories: int32(nodes, `${path}/categories`, categories!, [categories!.values.length]),
    sums: float64(nodes, `${path}/sums`, sums!, shape),
    squares: float64(nodes, `${path}/squares`, squares!, shape),
    expressing: int32(nodes, `${path}/expressing`, expressing!, shape),
  };
}

/** Reads single genes of the statistics at a path of `statisticsPaths`. Throws DatasetDamaged. */
export async function geneStatisticsReader(
  nodes: ZarrReader,
  path: string,
  geneCount: number,
  signal?: AbortSignal,
): Promise<GeneStatisticsReader> {
  const stored = await nodes.numbers(`${path}/categories`, signal);
  const categories = int32(nodes, `${path}/categories`, stored, [stored.values.length]);
  const shape = [geneCount, categories.length + 1];
  const sums = rowReader(nodes, `${path}/sums`);
  const expressing = rowReader(nodes, `${path}/expressing`);
  return async (row, readSignal) => {
    const [rowSums, rowExpressing] = await Promise.all([sums(row, readSignal), expressing(row, readSignal)]);
    return {
      categories,
      sums: float64(nodes, `${path}/sums`, rowSums, shape),
      expressing: int32(nodes, `${path}/expressing`, rowExpressing, shape),
    };
  };
}

/** Reads single rows of a two-dimensional array; simultaneous requests read each chunk once. */
function rowReader(nodes: ZarrReader, path: string) {
  const [chunkRows = 1, width = 1] = nodes.array(path).chunk_grid.configuration.chunk_shape;
  const chunks = new SharedWork<number, StoredNumbers>();
  return async (row: number, signal: AbortSignal | undefined): Promise<StoredNumbers> => {
    const chunk = Math.floor(row / chunkRows);
    const at = (row - chunk * chunkRows) * width;
    const read = await chunks.run(chunk, signal, (shared) => nodes.rowsOfChunk(path, chunk, shared));
    return { ...read, values: read.values.slice(at, at + width) };
  };
}

function float64(nodes: ZarrReader, path: string, stored: StoredNumbers, shape: readonly number[]) {
  if (!(stored.values instanceof Float64Array)) throw nodes.damaged(path, 'it does not hold float64 numbers');
  return fitting(nodes, path, stored.values, stored.shape, shape);
}

function int32(nodes: ZarrReader, path: string, stored: StoredNumbers, shape: readonly number[]) {
  if (!(stored.values instanceof Int32Array)) throw nodes.damaged(path, 'it does not hold int32 numbers');
  return fitting(nodes, path, stored.values, stored.shape, shape);
}

function fitting<T>(
  nodes: ZarrReader,
  path: string,
  values: T,
  actualShape: readonly number[],
  shape: readonly number[],
): T {
  if (actualShape.join() !== shape.join()) {
    throw nodes.damaged(path, `its shape ${actualShape.join(' x ')} is not ${shape.join(' x ')}`);
  }
  return values;
}
