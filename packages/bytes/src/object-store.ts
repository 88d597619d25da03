import { InvalidObjectKey } from './errors.ts';

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** A body in pieces; the next is pulled when the last one has been consumed. */
export type ByteSource = AsyncIterable<Uint8Array>;

export interface ReadOptions {
  readonly range?: ByteRange;
  readonly signal?: AbortSignal;
  /** Reusable buffer for the bytes. */
  readonly into?: Uint8Array;
  /** Version of the object's owner: while it is unchanged, a store may assume that the object is too. */
  readonly version?: string;
}

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  /** Expected or maximum bytes; only to choose the size of parts. */
  readonly length?: number | undefined;
}

export interface ObjectHead {
  size: number;
  /** Changes whenever the content changes. */
  tag: string;
}

/** Objects by key, on a file system or S3. Keys are `/`-separated and never start with one. */
export interface ObjectStore {
  /**
   * The bytes of an object or of one range of it; a view of `into` if the store reads into it. Throws ObjectNotFound,
   * InvalidObjectKey, ObjectStoreFailed, or RangeError if the range is outside the object.
   */
  get(key: string, options?: ReadOptions): Promise<Uint8Array>;
  /** Atomic and durable. Throws StoreWriteFailed, or the reason of the signal. */
  put(key: string, body: Uint8Array | ByteSource, options?: WriteOptions): Promise<void>;
  /** Does nothing if there is no such object. */
  delete(key: string): Promise<void>;
  /** Keys under a prefix, in byte order. */
  list(prefix: string): AsyncIterable<string>;
  /** Undefined if there is no such object. */
  head(key: string): Promise<ObjectHead | undefined>;
}

export interface OpenedStore extends ObjectStore {
  forget(prefix: string): Promise<void>;
  close(): Promise<void>;
}

export interface ListedObject extends ObjectHead {
  key: string;
  /** Milliseconds since 1970, by the clock of the store. */
  changedAt: number;
}

export interface ListsObjects {
  listObjects(prefix: string): AsyncIterable<ListedObject>;
}

/** A folder in a listing: a common prefix of keys up to a slash. */
export interface ListedFolder {
  key: string;
  /** Changes whenever an object directly in the folder is added, deleted or replaced, or the folder is. */
  tag: string;
}

export interface ListsFolders {
  /** The folders directly in a folder, given with its trailing slash. */
  listFolders(folder: string): AsyncIterable<ListedFolder>;
  /**
   * The tag of a folder; undefined if it does not exist or changed too recently for its timestamp to show another
   * change.
   */
  folderTag(folder: string): Promise<string | undefined>;
}

/** Segments of a key. Throws InvalidObjectKey for keys that could leave the store's root. */
export function keySegments(key: string): string[] {
  if (key === '') throw new InvalidObjectKey(key, 'it is empty');
  if (key.includes('\0')) throw new InvalidObjectKey(key, 'it contains a NUL character');
  if (key.includes('\\')) throw new InvalidObjectKey(key, 'it contains a backslash');
  const segments = key.split('/');
  for (const segment of segments) {
    if (segment === '') throw new InvalidObjectKey(key, 'it has an empty segment');
    if (segment === '.' || segment === '..') throw new InvalidObjectKey(key, `it has a "${segment}" segment`);
  }
  return segments;
}

/** The error for a range outside an object; `size` is the size of the object, if known. */
export function outside(key: string, { offset, length }: ByteRange, size?: number): RangeError {
  const whole = size === undefined ? '' : ` of ${size} bytes`;
  return new RangeError(`bytes ${offset} to ${offset + length} are outside "${key}"${whole}`);
}

/** A buffer of `length` bytes: the start of `into` if it is large enough. */
export function memoryFor(length: number, into: Uint8Array | undefined): Uint8Array {
  // Not from the pool: a retained part must not keep a larger shared buffer alive.
  return into && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafeSlow(length);
}
