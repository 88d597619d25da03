import { InvalidObjectKey } from './errors.ts';

/** A half-open range of bytes of an object. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** What a caller hands over, piece by piece; the next piece is asked for when the last one has been taken. */
export type ByteSource = AsyncIterable<Uint8Array>;

export interface ReadOptions {
  readonly range?: ByteRange;
  readonly signal?: AbortSignal;
  /** Memory for the bytes, to be used again and again. */
  readonly into?: Uint8Array;
  /** Version of what the object belongs to: as long as it is the same, a store may take it that the object is. */
  readonly version?: string;
}

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes that are expected, or the most that may come; only to choose the size of parts. */
  readonly length?: number | undefined;
}

export interface ObjectHead {
  readonly size: number;
  /** Another one whenever the content is another. */
  readonly tag: string;
}

/** Objects by key, on a file system or S3. Keys are `/`-separated and never start with one. */
export interface ObjectStore {
  /**
   * The bytes of an object or of one range of it. A store that can reads them into the start of `into`, of which the
   * answer then is a part. Throws ObjectNotFound, InvalidObjectKey, ObjectStoreFailed, or RangeError where the range
   * leaves the object.
   */
  get(key: string, options?: ReadOptions): Promise<Uint8Array>;
  /** The object appears whole and durably, or not at all. Throws StoreWriteFailed, or the reason of the signal. */
  put(key: string, body: Uint8Array | ByteSource, options?: WriteOptions): Promise<void>;
  /** Harmless where there is no such object. */
  delete(key: string): Promise<void>;
  /** Keys under a prefix, in byte order. */
  list(prefix: string): AsyncIterable<string>;
  /** Undefined where there is no such object. */
  head(key: string): Promise<ObjectHead | undefined>;
}

/** What callers of a store that they opened say besides: it is theirs to let go of. */
export interface OpenedStore extends ObjectStore {
  /** Lets go of what is kept of the objects below a prefix that are gone: open files, and blocks of a cache. */
  forget(prefix: string): Promise<void>;
  /** Closes files and connections. */
  close(): Promise<void>;
}

/** One object in a listing. */
export interface ListedObject extends ObjectHead {
  readonly key: string;
  /** Milliseconds since 1970, by the clock of the store. */
  readonly changedAt: number;
}

/** A store whose listings tell of each object in the same answer. */
export interface ListsObjects {
  listObjects(prefix: string): AsyncIterable<ListedObject>;
}

/** A folder in a listing: what the keys up to a slash have in common. */
export interface ListedFolder {
  /** With its closing slash. */
  readonly key: string;
  /** Another one whenever an object right in the folder comes, goes or is replaced, or the folder is another. */
  readonly tag: string;
}

/** A store that has folders. */
export interface ListsFolders {
  /** The folders right in a folder, by its key with its closing slash, without a look into them. */
  listFolders(folder: string): AsyncIterable<ListedFolder>;
  /** The tag of a folder; undefined where it is not there or changed so lately that it may change unseen. */
  folderTag(folder: string): Promise<string | undefined>;
}

/** Segments of a key. Throws InvalidObjectKey for keys that could leave the store's root. */
export function keySegments(key: string): string[] {
  if (key === '') throw new InvalidObjectKey(key, 'it is empty');
  if (key.includes('\0')) throw new InvalidObjectKey(key, 'it holds a NUL character');
  if (key.includes('\\')) throw new InvalidObjectKey(key, 'it holds a backslash');
  const segments = key.split('/');
  for (const segment of segments) {
    if (segment === '') throw new InvalidObjectKey(key, 'it has an empty segment');
    if (segment === '.' || segment === '..') throw new InvalidObjectKey(key, `it has a "${segment}" segment`);
  }
  return segments;
}

/** The range leaves the object, of so many bytes where that is known. */
export function outside(key: string, { offset, length }: ByteRange, size?: number): RangeError {
  const whole = size === undefined ? '' : ` of ${size} bytes`;
  return new RangeError(`bytes ${offset} to ${offset + length} are outside "${key}"${whole}`);
}

/** Memory for `length` bytes: the start of `into` where they fit. */
export function memoryFor(length: number, into: Uint8Array | undefined): Uint8Array {
  // Not from a pool: a part that is kept must not keep a larger shared buffer alive.
  return into && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafeSlow(length);
}
