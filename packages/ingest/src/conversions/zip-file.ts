import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw, inflateRawSync } from 'node:zlib';
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
  /** Unpacks an existing file of any size to an empty one. Throws H5adError. */
  unpack: (name: string, to: FileHandle) => Promise<void>;
  close: () => Promise<void>;
}

interface Entry {
  /** Position of its local header. */
  position: number;
  packedSize: number;
  size: number;
  method: number;
}

const endSignature = 0x06054b50;
const end64Signature = 0x06064b50;
const locator64Signature = 0x07064b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const maxComment = 65_535;
/** Maximum central directory: that of a zip file with some million chunks. */
const maxListBytes = 512 * 2 ** 20;
const stored = 0;
const deflated = 8;
const encrypted = 1;

/**
 * Opens a zip file with stored or deflated entries, of any size
 * (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT). Reads its directory once, and each file on request.
 * Throws H5adError `truncated`, `unreadable`, `too-large`.
 */
export async function openZip(path: string): Promise<ZipFile> {
  const handle = await open(path);
  try {
    const { size: bytes } = await handle.stat();
    const entries = await listed(path, handle, bytes);
    return {
      bytes,
      names: new Set(entries.keys()),
      get: async (name, range) => {
        const entry = entries.get(name);
        return entry && contentOf({ path, handle, name }, entry, range);
      },
      isStored: (name) => entries.get(name)?.method === stored,
      unpack: (name, to) => unpack({ path, handle, name, bytes }, entries.get(name)!, to),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function listed(path: string, handle: FileHandle, size: number): Promise<Map<string, Entry>> {
  const tailStart = Math.max(0, size - endBytes - maxComment);
  const tail = await bytesAt(handle, tailStart, size - tailStart);
  let at = tail.length - endBytes;
  while (at >= 0 && tail.readUInt32LE(at) !== endSignature) at--;
  if (at < 0) throw damaged(path, 'truncated', 'the zip file is cut short: the list at its end is missing.');
  let count = tail.readUInt16LE(at + 10);
  let length = tail.readUInt32LE(at + 12);
  let start = tail.readUInt32LE(at + 16);
  const locator = at - 20;
  if (locator >= 0 && tail.readUInt32LE(locator) === locator64Signature) {
    const end = await bytesAt(handle, number64(tail, locator + 8), 56);
    if (end.length < 56 || end.readUInt32LE(0) !== end64Signature)
      throw damaged(path, 'unreadable', 'the list of the zip file is damaged.');
    count = number64(end, 32);
    length = number64(end, 40);
    start = number64(end, 48);
  }
  if (length > maxListBytes || start + length > size)
    throw damaged(path, 'unreadable', 'the list of the zip file is longer than it can be.');
  const list = await bytesAt(handle, start, length);
  const entries = new Map<string, Entry>();
  for (let position = 0, read = 0; read < count; read++) {
    if (position + 46 > list.length || list.readUInt32LE(position) !== entrySignature)
      throw damaged(path, 'unreadable', 'the list of the zip file is damaged.');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      list.readUInt16LE(position + offset),
    ) as [number, number, number];
    const name = list.toString('utf8', position + 46, position + 46 + nameLength);
    const extra = list.subarray(position + 46 + nameLength, position + 46 + nameLength + extraLength);
    if ((list.readUInt16LE(position + 8) & encrypted) !== 0)
      throw damaged(path, 'unreadable', 'the zip file is encrypted.');
    entries.set(
      name,
      withWideSizes(extra, {
        method: list.readUInt16LE(position + 10),
        packedSize: list.readUInt32LE(position + 20),
        size: list.readUInt32LE(position + 24),
        position: list.readUInt32LE(position + 42),
      }),
    );
    position += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

const wide = 0xffff_ffff;

/** Sizes from four gigabytes on are in an extra field, each present only if needed. */
function withWideSizes(extra: Buffer, entry: Entry): Entry {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    const value = (narrow: number) => {
      if (narrow !== wide || next + 8 > extra.length) return narrow;
      next += 8;
      return number64(extra, next - 8);
    };
    const size = value(entry.size);
    const packedSize = value(entry.packedSize);
    return { ...entry, size, packedSize, position: value(entry.position) };
  }
  return entry;
}

interface Place {
  path: string;
  handle: FileHandle;
  name: string;
}

async function contentOf(
  { path, handle, name }: Place,
  { position, packedSize, size, method }: Entry,
  range: ByteRange | undefined,
): Promise<Uint8Array> {
  // Nothing can be skipped in deflated data.
  const part = within(range, size);
  const read = method === stored ? part : { start: 0, length: packedSize };
  if (!(size <= maxFileBytes || method === stored) || !(read.length >= 0 && read.length <= maxFileBytes))
    throw tooLargeFile(path, name);
  const start = await contentStart({ path, handle, name }, position);
  const packed = await bytesAt(handle, start + read.start, read.length);
  if (packed.length < read.length) throw damaged(path, 'truncated', 'the zip file ends within it.', name);
  if (method === stored && packedSize === size) return ownBytes(packed);
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

async function unpack(
  { path, handle, name, bytes }: Place & { bytes: number },
  { position, packedSize, size, method }: Entry,
  to: FileHandle,
): Promise<void> {
  if (method !== deflated && method !== stored) throw otherMethod(path, method, name);
  if (!(size <= Math.max(harmlessBytes, maxRatio * bytes))) throw tooLargeFile(path, name);
  const start = await contentStart({ path, handle, name }, position);
  let written = 0;
  async function* packed() {
    for (let at = 0; at < packedSize; at += pieceBytes)
      yield await bytesAt(handle, start + at, Math.min(pieceBytes, packedSize - at));
  }
  try {
    await pipeline(
      packed(),
      method === stored ? new PassThrough() : createInflateRaw(),
      async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) {
          written += piece.length;
          if (written > size) break;
          await to.writeFile(piece);
        }
      },
    );
  } catch (cause) {
    throw damaged(path, 'unreadable', 'it cannot be unpacked from the zip file.', name, cause);
  }
  if (written !== size) throw damaged(path, 'unreadable', 'it is not as long as the zip file says.', name);
}

async function contentStart({ path, handle, name }: Place, position: number): Promise<number> {
  const local = await bytesAt(handle, position, 30);
  if (local.length < 30 || local.readUInt32LE(0) !== localSignature)
    throw damaged(path, 'unreadable', 'the file in the zip file is not where its list says.', name);
  return position + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
}

function otherMethod(path: string, method: number, name: string): H5adError {
  const problem = `it is packed by method ${method}; stored or deflated is expected.`;
  return damaged(path, 'unreadable', problem, name);
}

function number64(bytes: Buffer, at: number): number {
  return bytes.length < at + 8 ? 0 : Number(bytes.readBigUInt64LE(at));
}

function damaged(
  path: string,
  code: 'truncated' | 'unreadable',
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
