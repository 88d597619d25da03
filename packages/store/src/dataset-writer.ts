import { createHash } from 'node:crypto';
import { StoreWriteFailed, FileObjectStore } from '@cellfolio/bytes';
import type { CategoricalColumn, Embedding, FileGraph, Table, NumericArray } from '@cellfolio/model';
import { assetNodes, type AssetSource } from './assets.ts';
import { carriedNodes } from './carried.ts';
import { locationOf } from './dataset-id.ts';
import { encodeTable, isStorable, namesAttribute, numbers } from './encode-column.ts';
import { type EntrySums, addGeneSums, otherGene } from './entry-sums.ts';
import { DatasetExists, ShapeMismatch, DatasetDamaged, WrittenOtherwise } from './errors.ts';
import { fileGraphNodes } from './file-graph.ts';
import { type DatasetDescription, type DatasetManifest, datasetVersion, formatVersion } from './manifest.ts';
import type { MatrixShape } from './shard-layout.ts';
import { type MatrixWriter, startMatrix } from './matrix-writer.ts';
import { encodeProteins, proteinsPath, type ProteinTable } from './protein-table.ts';
import { ZarrWriter } from './zarr-writer.ts';
import { openPublisher, type StorePlace } from './open-store.ts';
import { type DatasetPublisher, incomingPath } from './publish/dataset-publisher.ts';
import { StagingFolder } from './publish/staging-folder.ts';
import { ExpressionStatistics } from './statistics/expression-statistics.ts';
import { groupMetadata } from './zarr-metadata.ts';
import { numbersChecksum, stringsChecksum } from './array-checksums.ts';
import { MatrixReader } from './matrix-reader.ts';
import { ZarrReader } from './zarr-reader.ts';

/** Writes one dataset beside the others and shows it only once it is complete. */
export interface DatasetWriter {
  obs(table: Table): Promise<void>;
  var(table: Table): Promise<void>;
  obsm(embedding: Embedding): Promise<void>;
  /** Starts the table of proteins; the returned function takes the values of each, by its index among the names. */
  proteins(table: ProteinTable): Promise<(place: number, values: Float32Array) => Promise<void>>;
  /** Writes the neighbour graph of the file, which must be validated before. */
  graph(graph: FileGraph): Promise<void>;
  /** Writes all assets of the dataset; at most one call. Throws ShapeMismatch. */
  assets(assets: readonly AssetSource[]): Promise<void>;
  /** Writes what is not interpreted: pieces of equal length but for the last, and what describes them, asked for last. */
  carried(pieces: Iterable<Uint8Array>, describe: () => unknown): Promise<void>;
  /**
   * For a float32 X also stores the mean of every gene and, within a size limit, the sums of every gene in the groups
   * of these obs columns, the most important first: tests of the whole dataset read nothing else.
   */
  matrix(
    path: 'X' | 'layers/counts',
    shape: MatrixShape,
    groups?: ReadonlyMap<string, CategoricalColumn>,
  ): Promise<MatrixWriter>;
  /** Syncs the dataset, reads all of it again and compares it with the input, and moves it into place in one step. */
  publish(description: DatasetDescription): Promise<DatasetManifest>;
  /** Removes everything written so far. No effect after publish. */
  discard(): Promise<void>;
}

/**
 * Starts a dataset in a store, given by its location or the root folder of its files, and removes what dead writers
 * left there. For a bucket it is prepared on disk and sent on publish. If a call of the writer throws, everything
 * written so far is removed. Throws InvalidDatasetId, DatasetExists (unless `replace`), StoreWriteFailed.
 */
export async function createDatasetWriter(
  to: StorePlace,
  id: string,
  options?: { replace?: boolean; signal?: AbortSignal },
): Promise<DatasetWriter> {
  options?.signal?.throwIfAborted();
  locationOf(id);
  const publisher = await openPublisher(to);
  try {
    await publisher.sweep().catch((cause: unknown) => {
      throw new StoreWriteFailed(publisher.stagingRoot, { cause });
    });
    const replace = options?.replace ?? false;
    if (!replace && (await publisher.has(id))) throw new DatasetExists(id);
    const folder = await StagingFolder.create(incomingPath(publisher.stagingRoot, id));
    return new StagedDatasetWriter(publisher, id, folder, replace, options?.signal);
  } catch (error) {
    await publisher.close();
    throw error;
  }
}

/** Embeddings arrive one by one, so the name must not depend on later ones. */
function storedEmbedding(name: string): string {
  return `embedding-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

const emptyGroups = ['layers', 'obsm', 'obsp', 'uns', 'varm', 'varp'] as const;

class StagedDatasetWriter implements DatasetWriter {
  readonly #publisher: DatasetPublisher;
  readonly #id: string;
  readonly #folder: StagingFolder;
  readonly #nodes: ZarrWriter;
  readonly #replace: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #openMatrices = new Set<string>();
  readonly #sums = new Map<string, EntrySums | undefined>();
  #proteinPaths: readonly string[] = [];
  /** Stored name to true name, for embeddings that cannot be stored under theirs. */
  readonly #renamed = new Map<string, string>();
  #cellCount: number | undefined;
  #geneCount: number | undefined;
  #valueCount = 0;
  #ended = false;
  #failure: { error: unknown } | undefined;

  constructor(
    publisher: DatasetPublisher,
    id: string,
    folder: StagingFolder,
    replace: boolean,
    signal: AbortSignal | undefined,
  ) {
    this.#publisher = publisher;
    this.#id = id;
    this.#folder = folder;
    this.#nodes = new ZarrWriter(folder);
    this.#replace = replace;
    this.#signal = signal;
  }

  obs(table: Table): Promise<void> {
    return this.#step(() => this.#table('obs', table));
  }

  var(table: Table): Promise<void> {
    return this.#step(() => this.#table('var', table));
  }

  obsm(embedding: Embedding): Promise<void> {
    return this.#step(async () => {
      const { name, dimensions, values } = embedding;
      this.#fits(`obsm/${name}`, 'cells', values.length / dimensions);
      const stored = isStorable(name) ? name : storedEmbedding(name);
      if (stored !== name) this.#renamed.set(stored, name);
      const type = values instanceof Float64Array ? 'float64' : 'float32';
      const shape = [values.length / dimensions, dimensions];
      await this.#nodes.write(numbers(`obsm/${stored}`, type, values, shape));
    });
  }

  proteins(table: ProteinTable): Promise<(place: number, values: Float32Array) => Promise<void>> {
    return this.#step(async () => {
      this.#fits(proteinsPath, 'cells', table.cells.offsets.length - 1);
      const { nodes, paths } = encodeProteins(table);
      for (const node of nodes) await this.#nodes.write(node);
      this.#proteinPaths = paths;
      return (place, values) =>
        this.#step(async () => {
          const path = paths[place]!;
          this.#fits(path, 'cells', values.length);
          await this.#nodes.write(numbers(path, 'float32', values));
        });
    });
  }

  graph(graph: FileGraph): Promise<void> {
    return this.#step(async () => {
      this.#fits('obsp/connectivities', 'cells', graph.connectivities.starts.length - 1);
      for (const node of fileGraphNodes(graph)) await this.#nodes.write(node);
    });
  }

  assets(assets: readonly AssetSource[]): Promise<void> {
    return this.#step(async () => {
      for await (const node of assetNodes(assets)) {
        this.#signal?.throwIfAborted();
        await this.#nodes.write(node);
      }
    });
  }

  carried(pieces: Iterable<Uint8Array>, describe: () => unknown): Promise<void> {
    return this.#step(async () => {
      for (const node of carriedNodes(pieces, describe)) {
        this.#signal?.throwIfAborted();
        await this.#nodes.write(node);
      }
    });
  }

  matrix(
    path: 'X' | 'layers/counts',
    shape: MatrixShape,
    groups: ReadonlyMap<string, CategoricalColumn> = new Map(),
  ): Promise<MatrixWriter> {
    return this.#step(async () => {
      this.#fits(path, 'cells', shape.cellCount);
      this.#fits(path, 'genes', shape.geneCount);
      for (const [name, { codes }] of groups) {
        if (codes.length !== shape.cellCount) {
          throw new ShapeMismatch(`obs/${name}`, `not one value for each of ${shape.cellCount} cells`);
        }
      }
      // Threads look entries up by their positions.
      const indptr = new Float64Array(new SharedArrayBuffer(shape.indptr.byteLength));
      indptr.set(shape.indptr);
      const sharedShape = { ...shape, indptr };
      const statistics =
        path === 'X' && shape.valueType === 'float32'
          ? new ExpressionStatistics(sharedShape, groups)
          : undefined;
      const { target } = statistics ?? {};
      const writer = await startMatrix(this.#folder, this.#nodes, path, sharedShape, { statistics: target });
      if (path === 'X') this.#valueCount = shape.indptr[shape.geneCount]!;
      this.#openMatrices.add(path);
      return {
        write: (cells, values) => this.#step(() => writer.write(cells, values)),
        close: (sums) =>
          this.#step(async () => {
            await writer.close();
            this.#sums.set(path, sums);
            for (const node of statistics?.nodes() ?? []) await this.#nodes.write(node);
            this.#openMatrices.delete(path);
          }),
        parts: writer.parts!,
      };
    });
  }

  publish(description: DatasetDescription): Promise<DatasetManifest> {
    return this.#step(async () => {
      for (const part of ['obs', 'var', 'X', ...this.#proteinPaths]) {
        if (!this.#nodes.has(part)) throw new ShapeMismatch(part, 'was not written');
      }
      for (const path of this.#openMatrices) throw new ShapeMismatch(path, 'was not closed');
      for (const path of emptyGroups) {
        const attributes = {
          'encoding-type': 'dict',
          'encoding-version': '0.1.0',
          ...(path === 'obsm' &&
            this.#renamed.size > 0 && { [namesAttribute]: Object.fromEntries(this.#renamed) }),
        };
        await this.#nodes.declare(path, groupMetadata(attributes));
      }
      await this.#nodes.writeRoot();
      await this.#folder.settle();
      const written = this.#manifest(description);
      const content = { arrays: this.#nodes.checksums, matrices: this.#sums };
      await verifyWritten(this.#folder.path, written, content, this.#signal);
      const manifest = await this.#publisher.publish(this.#folder, written, {
        replace: this.#replace,
        signal: this.#signal,
      });
      this.#ended = true;
      await this.#publisher.close();
      return manifest;
    });
  }

  async discard(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#folder.remove();
    await this.#publisher.close();
  }

  async #table(group: 'obs' | 'var', table: Table): Promise<void> {
    this.#fits(group, group === 'obs' ? 'cells' : 'genes', table.rowCount);
    for (const node of encodeTable(group, table)) {
      this.#signal?.throwIfAborted();
      await this.#nodes.write(node);
    }
  }

  /** The first part with a number of cells or genes fixes it for all others. */
  #fits(path: string, what: 'cells' | 'genes', count: number): void {
    const established = what === 'cells' ? this.#cellCount : this.#geneCount;
    if (established !== undefined && established !== count) {
      throw new ShapeMismatch(path, `${count} ${what}, the parts before have ${established}`);
    }
    if (what === 'cells') this.#cellCount = count;
    else this.#geneCount = count;
  }

  #manifest(description: DatasetDescription): DatasetManifest {
    const { catalogue, roles, expression, warnings, processing, otherFeatures, organism } = description;
    const files = Object.fromEntries([...this.#folder.files].sort(([a], [b]) => (a < b ? -1 : 1)));
    return {
      format: 'cellfolio-dataset',
      formatVersion,
      id: this.#id,
      version: datasetVersion(files, description),
      createdAt: new Date().toISOString(),
      cellCount: this.#cellCount ?? 0,
      geneCount: this.#geneCount ?? 0,
      valueCount: this.#valueCount,
      catalogue,
      roles,
      expression,
      warnings,
      ...(processing && { processing }),
      ...(otherFeatures && { otherFeatures }),
      ...(organism && { organism }),
      files,
    };
  }

  async #step<T>(work: () => Promise<T>): Promise<T> {
    if (this.#failure) throw this.#failure.error;
    if (this.#ended) throw new ShapeMismatch(this.#id, 'the writer was published or discarded before');
    try {
      this.#signal?.throwIfAborted();
      return await work();
    } catch (error) {
      this.#failure ??= { error };
      await this.discard().catch(() => undefined);
      throw error;
    }
  }
}

interface WrittenContent {
  arrays: ReadonlyMap<string, number>;
  /** Sums of the entries read for a matrix; undefined if they were not counted. */
  matrices: ReadonlyMap<string, EntrySums | undefined>;
}

/**
 * Reads all arrays of a dataset in a folder as later readers do, and compares them with the intended values, one by
 * one. Throws WrittenOtherwise, the signal's reason.
 */
async function verifyWritten(
  folder: string,
  manifest: DatasetManifest,
  { arrays, matrices }: WrittenContent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const objects = new FileObjectStore(folder);
  try {
    const nodes = new ZarrReader(objects, manifest.id, '');
    await nodes.open(manifest);
    for (const [path, checksum] of arrays) {
      signal?.throwIfAborted();
      const actual =
        nodes.array(path).data_type === 'string'
          ? stringsChecksum(await nodes.strings(path, signal))
          : await numbersOf(nodes, path, signal);
      if (actual !== checksum) throw new WrittenOtherwise(path, 'its values');
    }
    for (const [path, wanted] of matrices) await verifyMatrix(nodes, manifest, { path, wanted }, signal);
  } catch (cause) {
    throw cause instanceof DatasetDamaged ? new WrittenOtherwise(cause.path, 'its values', { cause }) : cause;
  } finally {
    await objects.close();
  }
}

async function numbersOf(nodes: ZarrReader, path: string, signal: AbortSignal | undefined): Promise<number> {
  const { values, exact } = await nodes.numbers(path, signal);
  return numbersChecksum(exact ?? values);
}

/** Runs even without sums to compare: it then verifies the checksums of its chunks. */
async function verifyMatrix(
  nodes: ZarrReader,
  manifest: DatasetManifest,
  { path, wanted }: { path: string; wanted: EntrySums | undefined },
  signal: AbortSignal | undefined,
): Promise<void> {
  const matrix = await MatrixReader.open(nodes, manifest, path);
  const sums = new Int32Array(matrix.geneCount);
  const genes = Int32Array.from({ length: matrix.geneCount }, (_, gene) => gene);
  await matrix.storedPieces(
    genes,
    (firstGene, cells, values) => {
      if (wanted === undefined) return;
      const starts = [0, cells.length];
      addGeneSums(sums, { firstGene, starts, cells, values: asCarried(values, wanted.wide) });
    },
    signal,
  );
  const gene = wanted && otherGene(sums, wanted.sums);
  if (gene !== undefined) throw new WrittenOtherwise(path, `the values of gene ${gene + 1}`);
}

function asCarried(values: NumericArray, wide: boolean): Float32Array | Float64Array {
  if (wide) return values instanceof Float64Array ? values : Float64Array.from(values);
  return values instanceof Float32Array ? values : Float32Array.from(values);
}
