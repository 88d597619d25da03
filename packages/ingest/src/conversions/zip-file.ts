import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw, inflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';
import { H5adError } from '../h5ad-error.ts';
import { type ByteRange, bytesAt, maxFileBytes, ownBytes, tooLargeFile, within } from './file-bytes.ts';

export interface ZipFile {
  /** Size of the zip file. */
  bytes: number;
  names: ReadonlySet<string>;
  /** Undefined if there is no file of that name. The bytes start at the beginning of their buffer. Throws H5adError. */
  get: (name: string, range?: ByteRange) => Promise<Uint8Array | undefined>;
  /** Whether ranges of a file can be read without unpacking what precedes them. */
  isStored: (name: string) => boolean;
  /** Unpacks an existing deflated file of any size to an empty one. Throws H5adError. */
  unpack: (name: string, to: FileHandle) => Promise<void>;
  close: () => Promise<void>;
}

type Entry = Pick<
  yauzl.Entry,
  'compressedSize' | 'uncompressedSize' | 'compressionMethod' | 'relativeOffsetOfLocalHeader'
>;

const stored = 0;
const deflated = 8;

/** Some million chunks are one large matrix; the list of all files is kept in memory. */
const maxEntries = 5_000_000;

/**
 * Opens a zip file with stored or deflated entries, of any size. Reads its directory once, and each file on request.
 * Throws H5adError `truncated`, `unreadable`, `too-large`.
 */
export async function openZip(path: string): Promise<ZipFile> {
  const handle = await open(path);
  try {
    const { size: bytes } = await handle.stat();
    const options = { lazyEntries: true, autoClose: false };
    const zip = await yauzl
      .fromRandomAccessReaderPromise(new AheadReader(handle), bytes, options)
      .catch((cause: unknown) => {
        throw damaged(path, 'truncated', 'the list at its end is missing or cut short.', '', cause);
      });
    const entries = await listed(path, zip);
    const place = (name: string) => ({ path, handle, zip, name, entry: entries.get(name)! });
    return {
      bytes,
      names: new Set(entries.keys()),
      get: async (name, range) => (entries.has(name) ? contentOf(place(name), range) : undefined),
      isStored: (name) => entries.get(name)?.compressionMethod === stored,
      unpack: (name, to) => unpack(place(name), bytes, to),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function listed(path: string, zip: yauzl.ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries)
    throw damaged(path, 'too-large', `it lists ${zip.entryCount} files; ${maxEntries} is the limit.`);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw damaged(path, 'unreadable', 'the zip file is encrypted.');
      const { compressedSize, uncompressedSize, compressionMethod, relativeOffsetOfLocalHeader } = entry;
      entries.set(entry.fileName, {
        compressedSize,
        uncompressedSize,
        compressionMethod,
        relativeOffsetOfLocalHeader,
      });
    }
  } catch (cause) {
    if (cause instanceof H5adError) throw cause;
    throw damaged(path, 'unreadable', 'the list of the zip file is damaged.', '', cause);
  }
  return entries;
}

const aheadBytes = 2 ** 20;

/** Reads ahead, as the list is asked for by pieces of some fifty bytes. */
class AheadReader extends yauzl.RandomAccessReader {
  readonly #handle: FileHandle;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(handle: FileHandle) {
    super();
    this.#handle = handle;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const copy = () => {
      const from = position - this.#start;
      done(null, this.#bytes.copy(buffer, offset, from, from + length));
    };
    if (position >= this.#start && position + length <= this.#start + this.#bytes.length) copy();
    else void this.#readAhead(position, length).then(copy, done);
  }

  async #readAhead(position: number, length: number): Promise<void> {
    this.#bytes = await bytesAt(this.#handle, position, Math.max(length, aheadBytes));
    this.#start = position;
  }

  override close(done: (error: Error | null) => void): void {
    done(null);
  }
}

interface Place {
  path: string;
  handle: FileHandle;
  zip: yauzl.ZipFile;
  name: string;
  entry: Entry;
}

async function contentOf(place: Place, range: ByteRange | undefined): Promise<Uint8Array> {
  const { path, handle, name, entry } = place;
  const { compressedSize: packedSize, uncompressedSize: size, compressionMethod: method } = entry;
  // Nothing can be skipped in deflated data.
  const part = within(range, size);
  const read = method === stored ? part : { start: 0, length: packedSize };
  if (!(size <= maxFileBytes || method === stored) || !(read.length >= 0 && read.length <= maxFileBytes))
    throw tooLargeFile(path, name);
  const start = await contentStart(place);
  const packed = await bytesAt(handle, start + read.start, read.length);
  if (packed.length < read.length) throw damaged(path, 'truncated', 'the zip file ends within it.', name);
  if (method === stored) return ownBytes(packed);
  if (method !== deflated) throw otherMethod(path, method, name);
  try {
    const content = inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
    if (content.length === size) return ownBytes(content.subarray(part.start, part.start + part.length));
  } catch (cause) {
    throw damaged(path, 'unreadable', 'it cannot be unpacked from the zip file.', name, cause);
  }
  throw damaged(path, 'unreadable', 'it is not as long as the zip file says.', name);
}

/** Maximum compression ratio, which protects the disk from zip bombs. */
const maxRatio = 200;
const harmlessBytes = 64 * 2 ** 20;
const pieceBytes = 2 ** 20;

async function unpack(place: Place, zipBytes: number, to: FileHandle): Promise<void> {
  const { path, handle, name, entry } = place;
  const { compressedSize: packedSize, uncompressedSize: size, compressionMethod: method } = entry;
  if (method !== deflated) throw otherMethod(path, method, name);
  if (!(size <= Math.max(harmlessBytes, maxRatio * zipBytes))) throw tooLargeFile(path, name);
  const start = await contentStart(place);
  let written = 0;
  async function* packed() {
    for (let at = 0; at < packedSize; at += pieceBytes)
      yield await bytesAt(handle, start + at, Math.min(pieceBytes, packedSize - at));
  }
  try {
    await pipeline(packed(), createInflateRaw(), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) {
        written += piece.length;
        if (written > size) break;
        await to.writeFile(piece);
      }
    });
  } catch (cause) {
    throw damaged(path, 'unreadable', 'it cannot be unpacked from the zip file.', name, cause);
  }
  if (written !== size) throw damaged(path, 'unreadable', 'it is not as long as the zip file says.', name);
}

async function contentStart({ path, zip, name, entry }: Place): Promise<number> {
  try {
    return (await zip.readLocalFileHeaderPromise(entry as yauzl.Entry, { minimal: true })).fileDataStart;
  } catch (cause) {
    throw damaged(path, 'unreadable', 'the file in the zip file is not where its list says.', name, cause);
  }
}

function otherMethod(path: string, method: number, name: string): H5adError {
  const problem = `it is packed by method ${method}; stored or deflated is expected.`;
  return damaged(path, 'unreadable', problem, name);
}

function damaged(
  path: string,
  code: 'truncated' | 'unreadable' | 'too-large',
  problem: string,
  part = '',
  cause?: unknown,
): H5adError {
  return new H5adError({
    code,
    path,
    part,
    problem,
    hint: 'Pack the folder again, or copy the file again.',
    ...(cause !== undefined && { cause }),
  });
}
