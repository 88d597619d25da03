import { type ObjectStore, SharedWork } from '@cellfolio/bytes';
import {
  type Column,
  type Embedding,
  type FileGraph,
  type GeneBlock,
  type GeneColumn,
  type PackedStrings,
  stringAt,
  type Table,
  unpackStrings,
} from '@cellfolio/model';
import { type Asset, assetPaths } from './assets.ts';
import { type Carried, carriedOf } from './carried.ts';
import type { CellRows, CountMatrix, Dataset, StoredMatrix, RequestedRows } from './dataset.ts';
import type { ReadCounters } from './zarr-reader.ts';
import type { GeneIndex } from './gene-index.ts';
import { columnText, decodeColumn } from './decode-column.ts';
import { namesAttribute } from './encode-column.ts';
import { DatasetDamaged, DatasetReplaced, UnknownColumn } from './errors.ts';
import { type FileGraphHead, fileGraphHead, readFileGraph } from './file-graph.ts';
import { GeneCache } from './gene-cache.ts';
import { idColumns, LazyGeneIndex } from './gene-index.ts';
import { type DatasetManifest, isReplaced, objectsPrefix, readManifest } from './manifest.ts';
import { MatrixReader } from './matrix-reader.ts';
import { type Proteins, proteinsPath, readProteins } from './protein-table.ts';
import { ZarrReader, type RowRange } from './zarr-reader.ts';
import {
  type GeneStatisticsReader,
  geneStatisticsReader,
  type GroupStatistics,
  readGeneMeans,
  readGroupStatistics,
  statisticsPaths,
} from './statistics/group-statistics.ts';

const defaultCacheBytes = 64 * 1024 * 1024;
const attempts = 3;

/**
 * Opens a dataset: its manifest, metadata, gene names, gene positions and shard indexes are read now, and
 * nothing of them again. Expression is kept in the cache given, which several datasets may share, or in one of
 * `cacheBytes`; `genes` may find more names than the stored ones. Returned arrays are shared with the cache and must not be changed.
 * Throws InvalidDatasetId, DatasetNotFound, DatasetDamaged.
 */
export async function openDataset(
  objects: ObjectStore,
  id: string,
  options?: { cacheBytes?: number; cache?: GeneCache; genes?: (stored: GeneIndex) => GeneIndex },
): Promise<Dataset> {
  const cache = options?.cache ?? new GeneCache(options?.cacheBytes ?? defaultCacheBytes);
  for (let attempt = 1; ; attempt++) {
    const manifest = await readManifest(objects, id);
    try {
      return await openAt(objects, manifest, cache, options?.genes);
    } catch (error) {
      if (attempt === attempts || !(error instanceof DatasetDamaged || error instanceof DatasetReplaced))
        throw error;
      // Replaced while it was being opened, rather than damaged.
      if (!(await isReplaced(objects, manifest))) throw error;
    }
  }
}

async function openAt(
  objects: ObjectStore,
  manifest: DatasetManifest,
  cache: GeneCache,
  genesOf = (stored: GeneIndex) => stored,
): Promise<Dataset> {
  const nodes = new ZarrReader(objects, manifest.id, objectsPrefix(manifest), {
    version: `${manifest.version} ${manifest.createdAt}`,
    isReplaced: () => isReplaced(objects, manifest),
  });
  // The manifest was read besides: it counts as well.
  nodes.counters.reads++;
  await nodes.open(manifest);
  const genes = await openGenes(nodes, manifest);
  const matrix = await MatrixReader.open(nodes, manifest, 'X');
  return new StoredDataset(manifest, nodes, genesOf(genes), matrix, cache);
}

/** Unbounded cache; concurrent requests share one read. */
class KeptReads<T> {
  readonly #values = new Map<string, T>();
  readonly #reads = new SharedWork<string, T>();

  async get(
    name: string,
    signal: AbortSignal | undefined,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const cached = this.#values.get(name);
    if (cached) return cached;
    return this.#reads.run(name, signal, async (shared) => {
      const value = await read(shared);
      this.#values.set(name, value);
      return value;
    });
  }
}

class StoredDataset implements Dataset {
  readonly manifest: DatasetManifest;
  readonly genes: GeneIndex;
  readonly counters: Readonly<ReadCounters>;
  readonly obsColumnNames: readonly string[];
  readonly obsIndexName: string;
  readonly proteins: Proteins | undefined;
  readonly embeddings: readonly { name: string; dimensions: number }[];
  readonly assets: readonly Asset[];
  readonly carried: Carried | undefined;
  readonly valueStarts: Float64Array;
  readonly graphHead: FileGraphHead | undefined;
  readonly #nodes: ZarrReader;
  readonly #matrix: MatrixReader;
  readonly #obsPaths: ReadonlyMap<string, string>;
  readonly #proteinPaths: ReadonlyMap<string, string>;
  readonly #statisticsPaths: ReadonlyMap<string, string>;
  readonly #embeddingPaths: ReadonlyMap<string, string>;
  readonly #assetPaths: ReadonlyMap<string, string>;
  readonly #columns = new KeptReads<Column>();
  /** Reader of the raw counts, opened on demand: most callers never need it. */
  readonly #counts = new KeptReads<MatrixReader>();
  readonly #embeddings = new KeptReads<Embedding>();
  readonly #geneStatistics = new KeptReads<GeneStatisticsReader>();
  readonly #cache: GeneCache;
  readonly #geneReads = new SharedWork<number, GeneColumn>();

  constructor(
    manifest: DatasetManifest,
    nodes: ZarrReader,
    genes: GeneIndex,
    matrix: MatrixReader,
    cache: GeneCache,
  ) {
    this.manifest = manifest;
    this.#nodes = nodes;
    this.counters = nodes.counters;
    this.genes = genes;
    this.#matrix = matrix;
    this.valueStarts = matrix.indptr;
    this.graphHead = fileGraphHead(nodes);
    this.#obsPaths = columnPaths(nodes, 'obs');
    this.#statisticsPaths = statisticsPaths(nodes);
    this.#embeddingPaths = new Map(
      nodes.has('obsm') ? [...renamed(nodes, 'obsm')].map(([stored, name]) => [name, `obsm/${stored}`]) : [],
    );
    this.obsColumnNames = [...this.#obsPaths.keys()];
    this.obsIndexName = indexName(nodes, 'obs');
    // Datasets of before have an embedding there, where their files had an array.
    const hasProteins = nodes.has(proteinsPath) && nodes.node(proteinsPath).node_type === 'group';
    const proteins = hasProteins ? columnPaths(nodes, proteinsPath) : undefined;
    this.proteins =
      proteins && readProteins(nodes.attributes(proteinsPath), [...proteins.keys()], this.#obsPaths);
    this.#proteinPaths = new Map(
      this.proteins?.columns.map(({ name, column }) => [column, proteins!.get(name)!]),
    );
    const trueNames = nodes.has('obsm') ? renamed(nodes, 'obsm') : new Map<string, string>();
    this.embeddings = embeddingPaths(nodes).map((path) => {
      const stored = path.slice('obsm/'.length);
      return { name: trueNames.get(stored) ?? stored, dimensions: nodes.array(path).shape[1] ?? 1 };
    });
    this.#assetPaths = assetPaths(nodes);
    this.assets = Array.from(this.#assetPaths, ([name, path]) => ({
      name,
      size: nodes.array(path).shape[0] ?? 0,
    }));
    this.carried = carriedOf(nodes);
    this.#cache = cache;
  }

  async obs(name: string, signal?: AbortSignal): Promise<Column> {
    const path = this.#obsPath(name);
    // There may be hundreds of proteins, of a million cells each.
    if (!this.#obsPaths.has(name)) return decodeColumn(this.#nodes, path, signal);
    return this.#columns.get(name, signal, (shared) => decodeColumn(this.#nodes, path, shared));
  }

  async embedding(name: string, signal?: AbortSignal): Promise<Embedding> {
    return this.#embeddings.get(name, signal, (shared) => this.#readEmbedding(name, shared));
  }

  async cellRows(range: RowRange, selection: RequestedRows, signal?: AbortSignal): Promise<CellRows> {
    const { from, to } = range;
    if (!(from >= 0 && from <= to && to <= this.manifest.cellCount)) {
      throw new RangeError(`The cells ${from} to ${to} are not all of the dataset.`);
    }
    const named = selection.names === false ? { from: 0, to: 0 } : range;
    const names = await this.#nodes.strings(`obs/${this.obsIndexName}`, signal, named);
    // One after the other: few chunks are in memory at a time.
    const columns: Column[] = [];
    for (const name of selection.columns) {
      columns.push(await decodeColumn(this.#nodes, this.#obsPath(name), signal, range));
    }
    const embeddings: Embedding[] = [];
    for (const name of selection.embeddings) embeddings.push(await this.#readEmbedding(name, signal, range));
    return { names, columns, embeddings };
  }

  async asset(name: string, range?: RowRange, signal?: AbortSignal): Promise<Uint8Array> {
    const path = this.#assetPaths.get(name);
    if (path === undefined) throw new UnknownColumn(this.manifest.id, 'assets', name);
    const { shape } = this.#nodes.array(path);
    const { from, to } = range ?? { from: 0, to: shape[0] ?? 0 };
    if (!(from >= 0 && from <= to && to <= (shape[0] ?? 0)))
      throw new RangeError(`The bytes ${from} to ${to} are not all of the asset.`);
    const { values } = await this.#nodes.numbers(path, signal, { from, to });
    if (!(values instanceof Uint8Array)) throw this.#nodes.damaged(path, 'it does not hold bytes');
    return values;
  }

  #obsPath(name: string): string {
    const path = this.#obsPaths.get(name) ?? this.#proteinPaths.get(name);
    if (path === undefined) throw new UnknownColumn(this.manifest.id, 'obs', name);
    return path;
  }

  async #readEmbedding(name: string, signal?: AbortSignal, rows?: RowRange): Promise<Embedding> {
    const path = this.#embeddingPaths.get(name) ?? `obsm/${name}`;
    if (!this.#nodes.has(path)) throw new UnknownColumn(this.manifest.id, 'obsm', name);
    const { shape, values } = await this.#nodes.numbers(path, signal, rows);
    if (!(values instanceof Float32Array || values instanceof Float64Array)) {
      throw this.#nodes.damaged(path, 'it does not hold floating-point numbers');
    }
    return { name, dimensions: shape[1] ?? 1, values };
  }

  async graph(signal?: AbortSignal): Promise<FileGraph | undefined> {
    const { cellCount } = this.manifest;
    return this.graphHead && readFileGraph(this.#nodes, this.graphHead, cellCount, signal);
  }

  async geneTable(signal?: AbortSignal): Promise<Table> {
    const name = indexName(this.#nodes, 'var');
    const columns = new Map<string, Column>();
    for (const [column, path] of columnPaths(this.#nodes, 'var')) {
      columns.set(column, await decodeColumn(this.#nodes, path, signal));
    }
    const index = await this.#nodes.strings(`var/${name}`, signal);
    return { rowCount: this.manifest.geneCount, indexName: name, index, columns };
  }

  async geneMeans(signal?: AbortSignal): Promise<Float64Array | undefined> {
    return readGeneMeans(this.#nodes, this.manifest.geneCount, signal);
  }

  async groupStatistics(column: string, signal?: AbortSignal): Promise<GroupStatistics | undefined> {
    const path = this.#statisticsPaths.get(column);
    return path === undefined
      ? undefined
      : readGroupStatistics(this.#nodes, path, this.manifest.geneCount, signal);
  }

  async geneStatistics(column: string, signal?: AbortSignal): Promise<GeneStatisticsReader | undefined> {
    const path = this.#statisticsPaths.get(column);
    return path === undefined
      ? undefined
      : this.#geneStatistics.get(path, signal, (shared) =>
          geneStatisticsReader(this.#nodes, path, this.manifest.geneCount, shared),
        );
  }

  async gene(row: number, signal?: AbortSignal): Promise<GeneColumn> {
    const cached = this.#cache.get(this.manifest, row);
    if (cached) return cached;
    return this.#geneReads.run(row, signal, async (shared) => {
      const gene = await this.#matrix.gene(row, shared);
      this.#cache.set(this.manifest, row, gene);
      return gene;
    });
  }

  async useGeneBlock<T>(
    from: number,
    to: number,
    use: (block: GeneBlock) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    signal?.throwIfAborted();
    return this.#matrix.block(from, to, use, signal);
  }

  async counts(signal?: AbortSignal): Promise<CountMatrix | undefined> {
    const matrix = await this.#countReader(signal);
    if (!matrix) return undefined;
    return {
      starts: matrix.indptr,
      useBlock: (from, to, use, caller) => matrix.countBlock(from, to, use, caller),
      useGenes: (rows, use, caller) => matrix.pieces(rows, use, caller),
    };
  }

  async storedMatrix(path: 'X' | 'layers/counts', signal?: AbortSignal): Promise<StoredMatrix | undefined> {
    const matrix = path === 'X' ? this.#matrix : await this.#countReader(signal);
    if (!matrix) return undefined;
    return {
      valueType: matrix.valueType,
      starts: matrix.indptr,
      cells: (from, to, options) => matrix.storedCells(from, to, options),
      values: (from, to, options) => matrix.storedValues(from, to, options),
    };
  }

  async #countReader(signal?: AbortSignal): Promise<MatrixReader | undefined> {
    if (!this.manifest.expression.hasCounts) return undefined;
    const path = 'layers/counts';
    return this.#counts.get(path, signal, () => MatrixReader.open(this.#nodes, this.manifest, path));
  }

  async useGenes(
    rows: Int32Array,
    use: (place: number, cells: Int32Array, values: Float32Array) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    signal?.throwIfAborted();
    return this.#matrix.pieces(rows, use, signal);
  }
}

/** Arrays in obsm; a table there contains proteins. */
export function embeddingPaths(nodes: ZarrReader): string[] {
  return nodes.members('obsm').filter((path) => nodes.node(path).node_type === 'array');
}

function indexName(nodes: ZarrReader, group: 'obs' | 'var'): string {
  return String(nodes.attributes(group)['_index']);
}

/** True name to path of each column, in file order. */
function columnPaths(nodes: ZarrReader, group: string): Map<string, string> {
  const order = nodes.attributes(group)['column-order'];
  if (!Array.isArray(order)) throw nodes.damaged(group, 'it has no column order');
  const names = renamed(nodes, group);
  return new Map((order as string[]).map((stored) => [names.get(stored) ?? stored, `${group}/${stored}`]));
}

/** Stored name to true name, for members of a group stored under other names. */
function renamed(nodes: ZarrReader, group: string): Map<string, string> {
  return new Map(Object.entries((nodes.attributes(group)[namesAttribute] ?? {}) as Record<string, string>));
}

async function openGenes(nodes: ZarrReader, manifest: DatasetManifest): Promise<GeneIndex> {
  const index = await nodes.strings(`var/${indexName(nodes, 'var')}`);
  if (index.offsets.length - 1 !== manifest.geneCount) {
    throw nodes.damaged('var', `it does not have the ${manifest.geneCount} genes of the dataset`);
  }
  const paths = columnPaths(nodes, 'var');
  const text = async (column: string): Promise<PackedStrings | undefined> => {
    const path = paths.get(column);
    return path === undefined ? undefined : columnText(await decodeColumn(nodes, path));
  };
  const { symbol } = manifest.roles;
  const symbols = symbol === undefined ? undefined : await text(symbol);
  if (symbol !== undefined && !symbols)
    throw nodes.damaged(`var/${symbol}`, 'the column of gene symbols is missing');
  const ids = [index];
  for (const column of idColumns) {
    const names = column === symbol ? undefined : await text(column);
    if (names) ids.push(names);
  }
  // A gene without a symbol answers to its row name.
  const names = symbols
    ? unpackStrings(symbols).map((name, row) => name || stringAt(index, row))
    : unpackStrings(index);
  return new LazyGeneIndex(names, ids);
}
