import { LRUCache } from 'lru-cache';
import type { CacheUse } from '../byte-cache.ts';
import { SharedWork } from '../concurrency.ts';
import {
  type ByteRange,
  type ByteSource,
  type ListedObject,
  type ListsObjects,
  memoryFor,
  type ObjectHead,
  type OpenedStore,
  outside,
  type ReadOptions,
  type WriteOptions,
} from '../object-store.ts';
import type { FetchedBytes, FetchOptions, S3ObjectStore } from '../s3/s3-object-store.ts';
import { type CacheCounters, CacheFolder } from './cache-folder.ts';
import { blockBytes, blocksOf, partOf, type Span, SpanFetches, spansOf } from './span-fetches.ts';

/** Separator between a key and its object's tag, which keys cannot contain. */
const mark = '\0';
const maxTags = 10_000;

export type CachedSource = Pick<
  S3ObjectStore,
  'get' | 'put' | 'delete' | 'list' | 'listObjects' | 'head' | 'close' | 'fetch'
>;

export interface CacheOptions {
  folder: string;
  bytes: number;
  isWrittenOnce: (key: string) => boolean;
}

/**
 * An object store behind a bounded disk cache. Objects written once are cached by key, objects read with a version by
 * key and tag; others are not cached. Blocks are verified on each read, and corrupt ones fetched again.
 */
export class CachedObjectStore implements OpenedStore, ListsObjects {
  readonly #store: CachedSource;
  readonly #folder: CacheFolder;
  readonly #spans: SpanFetches;
  readonly #wholes = new SharedWork<string, Uint8Array>();
  readonly #tags = new LRUCache<string, string>({ max: maxTags });
  readonly #isWrittenOnce: (key: string) => boolean;

  constructor(store: CachedSource, cache: CacheOptions) {
    this.#store = store;
    this.#isWrittenOnce = cache.isWrittenOnce;
    this.#folder = new CacheFolder(cache.folder, cache.bytes);
    this.#spans = new SpanFetches(
      (name, options) => this.#fetch(name, options),
      (name, span, { bytes, objectSize }) => this.#folder.write(name, span, bytes, objectSize),
    );
  }

  get counters(): Readonly<CacheCounters> {
    return this.#folder.counters;
  }

  get cacheUse(): CacheUse {
    return this.#folder.use;
  }

  /** Throws as the underlying store does. May return cached bytes of a deleted object. */
  async get(key: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const { range, signal, into } = options;
    signal?.throwIfAborted();
    if (range && (range.offset < 0 || range.length <= 0)) return this.#store.get(key, options);
    const name = await this.#nameOf(key, options);
    if (name === undefined) return this.#store.get(key, options);
    try {
      if (!range) return await this.#whole(name, signal);
      const target = memoryFor(range.length, into);
      await this.#fill(target, name, range, spansOf(range), signal);
      return target;
    } catch (error) {
      if (!(error instanceof ObjectReplaced)) throw error;
      this.#forgetTags(`${key}${mark}`);
      return this.#store.get(key, options);
    }
  }

  async put(key: string, body: Uint8Array | ByteSource, options?: WriteOptions): Promise<void> {
    await this.#store.put(key, body, options);
  }

  async delete(key: string): Promise<void> {
    await this.#store.delete(key);
  }

  list(prefix: string): AsyncIterable<string> {
    return this.#store.list(prefix);
  }

  listObjects(prefix: string): AsyncIterable<ListedObject> {
    return this.#store.listObjects(prefix);
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    return this.#store.head(key);
  }

  async forget(prefix: string): Promise<void> {
    this.#forgetTags(prefix);
    await this.#folder.forget(prefix);
  }

  async close(): Promise<void> {
    await this.#folder.close();
    await this.#store.close();
  }

  #forgetTags(prefix: string): void {
    for (const name of Array.from(this.#tags.keys())) if (name.startsWith(prefix)) this.#tags.delete(name);
  }

  /** Name in the cache of the current version of an object; undefined if it is not cacheable. */
  async #nameOf(key: string, { version, signal }: ReadOptions): Promise<string | undefined> {
    if (this.#isWrittenOnce(key)) return key;
    if (version === undefined) return undefined;
    const remembered = `${key}${mark}${version}`;
    const tag = this.#tags.get(remembered) ?? (await this.#store.head(key, signal))?.tag;
    if (!tag) return undefined;
    this.#tags.set(remembered, tag);
    return `${key}${mark}${tag}`;
  }

  async #fetch(name: string, options: FetchOptions): Promise<FetchedBytes> {
    const [key = '', tag] = name.split(mark);
    const fetched = await this.#store.fetch(key, options);
    if (tag !== undefined && fetched.tag !== tag) throw new ObjectReplaced();
    return fetched;
  }

  async #fill(
    target: Uint8Array,
    key: string,
    range: ByteRange,
    spans: readonly Span[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const missing: Span[] = [];
    await Promise.all(
      spans.map(async (span) => {
        const { from, to } = partOf(range, span);
        const cached = await this.#folder.read(key, span, from, to);
        if (!cached) return void missing.push(span);
        if (cached.length < to) throw beyond(key, range, cached.objectSize);
        target.set(cached.bytes.subarray(from - cached.from), span.offset + from - range.offset);
      }),
    );
    if (missing.length === 0) return;
    signal?.throwIfAborted();
    missing.sort((a, b) => a.offset - b.offset);
    const fetched = await this.#spans.get(key, missing, signal);
    for (const [i, span] of missing.entries()) {
      const { from, to } = partOf(range, span);
      const { bytes, objectSize } = fetched[i]!;
      if (bytes.length < to) throw beyond(key, range, objectSize);
      target.set(bytes.subarray(from, to), span.offset + from - range.offset);
    }
  }

  async #whole(key: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const first = { offset: 0, length: blockBytes };
    const start = await this.#folder.read(key, first, 0, blockBytes);
    if (!start) {
      return this.#wholes.run(key, signal, async (shared) => {
        const fetched = await this.#fetch(key, { signal: shared });
        await this.#keepWhole(key, fetched);
        return fetched.bytes;
      });
    }
    const { objectSize } = start;
    if (objectSize <= blockBytes) return start.bytes;
    const bytes = Buffer.allocUnsafeSlow(objectSize);
    bytes.set(start.bytes);
    const rest = { offset: blockBytes, length: objectSize - blockBytes };
    // As blocks even if the rest is short, because whole objects are stored as blocks.
    await this.#fill(bytes.subarray(blockBytes), key, rest, blocksOf(rest), signal);
    return bytes;
  }

  async #keepWhole(key: string, { bytes, objectSize }: FetchedBytes): Promise<void> {
    const blocks = blocksOf({ offset: 0, length: Math.max(1, objectSize) });
    for (const block of blocks) {
      const part = bytes.subarray(block.offset, block.offset + block.length);
      await this.#folder.write(key, block, part, objectSize);
    }
  }
}

class ObjectReplaced extends Error {
  override readonly name = 'ObjectReplaced';
}

function beyond(name: string, range: ByteRange, size: number): RangeError {
  return outside(name.split(mark, 1)[0]!, range, size);
}
