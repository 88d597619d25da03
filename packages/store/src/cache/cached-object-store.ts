import { isWrittenOnce } from '../dataset-id.ts';
import type { OpenedObjectStore } from '../open-object-store.ts';
import type { ByteRange, ListedObject, ReadOptions } from '../object-store.ts';
import type { FetchedBytes, S3ObjectStore } from '../s3/s3-object-store.ts';
import { SharedWork } from '../shared-work.ts';
import { type CacheCounters, CacheFolder } from './cache-folder.ts';
import { SpanFetches } from './span-fetches.ts';
import { blockBytes, blocksOf, partOf, type Span, spansOf } from './span-plan.ts';

/** What a cache needs of the store behind it. */
export type CachedSource = Pick<
  S3ObjectStore,
  'get' | 'put' | 'delete' | 'list' | 'listObjects' | 'head' | 'close' | 'fetch'
>;

/**
 * An object store with a bounded cache on the disk in front of it. Objects that are written once are kept in blocks,
 * whoever reads them; all others, the manifests of datasets above all, are asked for each time. What the cache has is
 * checked whenever it is read, and what is damaged there is fetched again.
 */
export class CachedObjectStore implements OpenedObjectStore {
  readonly #store: CachedSource;
  readonly #folder: CacheFolder;
  readonly #spans: SpanFetches;
  readonly #wholes = new SharedWork<string, Uint8Array>();

  constructor(store: CachedSource, cache: { folder: string; bytes: number }) {
    this.#store = store;
    this.#folder = new CacheFolder(cache.folder, cache.bytes);
    this.#spans = new SpanFetches(
      (key, options) => store.fetch(key, options),
      (key, span, { bytes, objectSize }) => this.#folder.write(key, span, bytes, objectSize),
    );
  }

  get counters(): Readonly<CacheCounters> {
    return this.#folder.counters;
  }

  /** Throws as the store behind does; of an object that was deleted what is kept may still be answered. */
  async get(key: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const { range, signal, into } = options;
    signal?.throwIfAborted();
    if (!isWrittenOnce(key) || (range && (range.offset < 0 || range.length <= 0))) {
      return this.#store.get(key, options);
    }
    if (!range) return this.#whole(key, signal);
    const { length } = range;
    // Not from a pool: a part that is kept must not keep a larger shared buffer alive.
    const target = into && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafeSlow(length);
    await this.#fill(target, key, range, spansOf(range), signal);
    return target;
  }

  async put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    await this.#store.put(key, body);
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

  async head(key: string): Promise<{ size: number } | undefined> {
    return this.#store.head(key);
  }

  /** Closes files and connections; what is kept stays for the next one. */
  async close(): Promise<void> {
    await this.#folder.close();
    await this.#store.close();
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
        const found = await this.#folder.read(key, span, from, to);
        if (!found) return void missing.push(span);
        if (found.length < to) throw outside(key, range, found.objectSize);
        target.set(found.bytes.subarray(from - found.from), span.offset + from - range.offset);
      }),
    );
    if (missing.length === 0) return;
    signal?.throwIfAborted();
    missing.sort((a, b) => a.offset - b.offset);
    const fetched = await this.#spans.get(key, missing, signal);
    for (const [i, span] of missing.entries()) {
      const { from, to } = partOf(range, span);
      const { bytes, objectSize } = fetched[i]!;
      if (bytes.length < to) throw outside(key, range, objectSize);
      target.set(bytes.subarray(from, to), span.offset + from - range.offset);
    }
  }

  async #whole(key: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const first = { offset: 0, length: blockBytes };
    const start = await this.#folder.read(key, first, 0, blockBytes);
    if (!start) {
      return this.#wholes.run(key, signal, async (shared) => {
        const fetched = await this.#store.fetch(key, { signal: shared });
        await this.#keepWhole(key, fetched);
        return fetched.bytes;
      });
    }
    const { objectSize } = start;
    if (objectSize <= blockBytes) return start.bytes;
    const bytes = Buffer.allocUnsafeSlow(objectSize);
    bytes.set(start.bytes);
    const rest = { offset: blockBytes, length: objectSize - blockBytes };
    // As blocks, however short the rest is: that is how it was written.
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

function outside(key: string, { offset, length }: ByteRange, size: number): RangeError {
  return new RangeError(`bytes ${offset} to ${offset + length} are outside "${key}" of ${size} bytes`);
}
