import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { evenStarts } from '@cellfolio/analysis';
import {
  type DatasetManifest,
  derivedPrefix,
  type ObjectStore,
  readManifest,
  StoreWriteFailed,
} from '@cellfolio/store';
import type { ComputedGraph } from './tasks.ts';

/** Format version of stored graphs; a graph of another version is computed again. */
const version = 1;
const pieceBytes = 1 << 20;
const digestBytes = 32;
/** Maximum number of stored graphs per dataset, each with another number of neighbours. */
const maxGraphs = 4;

interface Head {
  version: typeof version;
  k: number;
  cells: number;
  without: number;
  dimensions: number;
  /** Length of the sample. */
  sample: number;
}

type GraphStore = Pick<ObjectStore, 'get' | 'put' | 'list' | 'delete'>;
type DatasetVersion = Pick<DatasetManifest, 'id' | 'version'>;

/**
 * Graphs of all cells of a dataset, stored beside it, so that the neighbour search runs once. They are removed with
 * their dataset; those of an earlier version when one of the next is stored. A failing store costs a search and nothing
 * else.
 */
export class StoredGraphs {
  readonly #objects: GraphStore;

  constructor(objects: GraphStore) {
    this.#objects = objects;
  }

  /** Undefined when no graph is stored or it is corrupt. Throws the signal's reason. */
  async read(dataset: DatasetVersion, k: number, signal: AbortSignal): Promise<ComputedGraph | undefined> {
    const bytes = await this.#objects.get(keyOf(dataset, k), { signal }).catch(() => undefined);
    signal.throwIfAborted();
    return bytes && decoded(bytes);
  }

  async keep(dataset: DatasetVersion, k: number, graph: ComputedGraph, signal: AbortSignal): Promise<void> {
    try {
      await this.#objects.put(keyOf(dataset, k), encoded(graph), { signal });
      await this.#prune(dataset, k);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof StoreWriteFailed)) throw error;
    }
  }

  /**
   * Removes graphs of earlier versions, those beyond the maximum, and all when the dataset was deleted in the meantime.
   */
  async #prune(dataset: DatasetVersion, k: number): Promise<void> {
    const present = await readManifest(this.#objects as ObjectStore, dataset.id).catch(() => undefined);
    const own = present?.version === dataset.version ? keyOf(dataset, k) : undefined;
    const keys: string[] = [];
    for await (const key of this.#objects.list(derivedPrefix(dataset.id))) keys.push(key);
    const current = keys.filter((key) => key.startsWith(folderOf(dataset)) && key !== own);
    const keysToKeep = own === undefined ? [] : [own, ...current.slice(0, maxGraphs - 1)];
    for (const key of keys) if (!keysToKeep.includes(key)) await this.#objects.delete(key);
  }
}

function folderOf({ id, version: ofDataset }: DatasetVersion): string {
  return `${derivedPrefix(id)}${ofDataset}/`;
}

function keyOf(dataset: DatasetVersion, k: number): string {
  return `${folderOf(dataset)}nearest-${k}.bin`;
}

/** Head, arrays and the digest of both, in pieces, between which other requests are served. */
async function* encoded(graph: ComputedGraph): AsyncGenerator<Uint8Array> {
  const { neighbours, cells, sample, dimensions, without } = graph;
  const head: Head = {
    version,
    k: neighbours.k,
    cells: cells.length,
    without,
    dimensions,
    sample: sample.length,
  };
  const text = Buffer.from(JSON.stringify(head));
  const first = Buffer.alloc(8 + 8 * Math.ceil(text.length / 8), ' ');
  first.writeBigUInt64LE(BigInt(first.length));
  text.copy(first, 8);
  const hash = createHash('sha256');
  for (const part of [first, neighbours.distances, neighbours.indices, cells, sample]) {
    const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      // A copy: the arrays are in shared memory, which files and connections do not take.
      const piece = bytes.slice(at, at + pieceBytes);
      hash.update(piece);
      yield piece;
    }
  }
  yield hash.digest();
}

async function decoded(bytes: Uint8Array): Promise<ComputedGraph | undefined> {
  const end = bytes.length - digestBytes;
  if (end < 8 || !(await isWhole(bytes, end))) return undefined;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headEnd = Number(view.readBigUInt64LE());
  const head = JSON.parse(view.toString('utf8', 8, headEnd)) as Head;
  if (head.version !== version) return undefined;
  const { k, cells, sample, dimensions, without } = head;
  let at = headEnd;
  const shared = (length: number) => {
    const copy = new Uint8Array(new SharedArrayBuffer(length));
    copy.set(bytes.subarray(at, at + length));
    at += length;
    return copy.buffer;
  };
  const distances = new Float64Array(shared(8 * cells * k));
  const indices = new Int32Array(shared(4 * cells * k));
  return {
    neighbours: { k, starts: evenStarts(cells, k), indices, distances },
    cells: new Int32Array(shared(4 * cells)),
    sample: new Float32Array(shared(4 * sample)),
    dimensions,
    without,
  };
}

async function isWhole(bytes: Uint8Array, end: number): Promise<boolean> {
  const hash = createHash('sha256');
  for (let at = 0; at < end; at += pieceBytes) {
    hash.update(bytes.subarray(at, Math.min(end, at + pieceBytes)));
    await setImmediate();
  }
  return hash.digest().equals(bytes.subarray(end));
}
