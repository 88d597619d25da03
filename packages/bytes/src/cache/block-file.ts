import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { blockBytes, type Span } from './span-plan.ts';

/**
 * A file of the cache: a header, then the bytes. The header has the name of the span, the size of the whole object and
 * a checksum of each page, so that a file that is torn, damaged or of something else is told from a good one without
 * reading all of it.
 */
export const headerBytes = 64;
const pageBytes = 64 * 1024;
const pages = blockBytes / pageBytes;
const format = 0x43_46_42_01;
const pagesAt = 32;
const headerCheckAt = pagesAt + 4 * pages;

export interface BlockContent {
  /** The wanted bytes, and others around them: from the start of a page on. */
  readonly bytes: Uint8Array;
  /** Where in the span they begin. */
  readonly from: number;
  /** Length of the span as far as the object goes. */
  readonly length: number;
  readonly objectSize: number;
}

/** Name of the file of a span of an object: the same in every process. */
export function blockName(key: string, { offset, length }: Span): string {
  return createHash('sha256').update(`${offset} ${length} ${key}`).digest('hex').slice(0, 40);
}

/** The content of the file for a span; `bytes` is shorter than the span where the object ends in it. */
export function encodeBlock(name: string, bytes: Uint8Array, objectSize: number): Buffer {
  const file = Buffer.alloc(headerBytes + bytes.length);
  file.writeUInt32BE(format, 0);
  file.writeUInt32BE(bytes.length, 4);
  file.writeDoubleBE(objectSize, 8);
  file.write(name.slice(0, 32), 16, 'hex');
  for (let page = 0; page * pageBytes < bytes.length; page++) {
    file.writeUInt32BE(crc32(bytes.subarray(page * pageBytes, (page + 1) * pageBytes)), pagesAt + 4 * page);
  }
  file.writeUInt32BE(crc32(file.subarray(0, headerCheckAt)), headerCheckAt);
  file.set(bytes, headerBytes);
  return file;
}

/** Bytes of the file from its start that `decodeBlock` needs for the bytes before `to` of the span. */
export function bytesToRead(to: number): number {
  return headerBytes + Math.ceil(to / pageBytes) * pageBytes;
}

/**
 * The bytes [from, to) of a span out of the first bytes of its file; as much as there is where the object ends before.
 * Undefined where the file is not whole, not sound or not that of the name.
 */
export function decodeBlock(name: string, file: Buffer, from: number, to: number): BlockContent | undefined {
  if (file.length < headerBytes || file.readUInt32BE(0) !== format) return undefined;
  if (file.readUInt32BE(headerCheckAt) !== crc32(file.subarray(0, headerCheckAt))) return undefined;
  if (file.toString('hex', 16, 32) !== name.slice(0, 32)) return undefined;
  const length = file.readUInt32BE(4);
  const end = Math.min(to, length);
  const firstPage = Math.floor(Math.min(from, end) / pageBytes);
  for (let page = firstPage; page * pageBytes < end; page++) {
    const stop = Math.min(length, (page + 1) * pageBytes);
    const bytes = file.subarray(headerBytes + page * pageBytes, headerBytes + stop);
    if (bytes.length !== stop - page * pageBytes) return undefined;
    if (crc32(bytes) !== file.readUInt32BE(pagesAt + 4 * page)) return undefined;
  }
  return {
    bytes: file.subarray(headerBytes + firstPage * pageBytes, headerBytes + end),
    from: firstPage * pageBytes,
    length,
    objectSize: file.readDoubleBE(8),
  };
}
