import { crc32 } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** Size in bytes, if known; without it the file must be smaller than 4 GB. */
  readonly size?: number;
}

/** Sizes and offsets from this value on are stored in the wider fields of Zip64. */
const wide = 0xffffffff;
/** A descriptor of checksum and sizes follows the bytes; the name is UTF-8. */
const flags = 0x0808;
const version = 45;

/**
 * Streams an archive of uncompressed files (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT): most files
 * are compressed already, and no file is held in memory.
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>, madeAt: Date): AsyncGenerator<Uint8Array> {
  const list: Buffer[] = [];
  let position = 0;
  for await (const { name, content, size: announced = 0 } of entries) {
    const path = Buffer.from(name);
    const isWide = announced >= wide;
    const start = position;
    const head = Buffer.concat([localHeader(path, isWide, madeAt), path, isWide ? wideField([0, 0]) : empty]);
    yield head;
    let [sum, size] = [0, 0];
    for await (const piece of content) {
      sum = crc32(piece, sum);
      size += piece.length;
      yield piece;
    }
    if (size >= wide && !isWide) throw new Error(`${name} is larger than was announced.`);
    const tail = descriptor(sum, size, isWide);
    yield tail;
    position += head.length + size + tail.length;
    list.push(listEntry(path, { sum, size, start, isWide, madeAt }));
  }
  const entriesOfList = Buffer.concat(list);
  yield entriesOfList;
  yield endOfList(list.length, entriesOfList.length, position);
}

const empty = Buffer.alloc(0);

function localHeader(path: Buffer, isWide: boolean, madeAt: Date): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt32LE(timeOf(madeAt), 10);
  header.writeUInt32LE(isWide ? wide : 0, 18);
  header.writeUInt32LE(isWide ? wide : 0, 22);
  header.writeUInt16LE(path.length, 26);
  header.writeUInt16LE(isWide ? 20 : 0, 28);
  return header;
}

function descriptor(sum: number, size: number, isWide: boolean): Buffer {
  const fields = Buffer.alloc(isWide ? 24 : 16);
  fields.writeUInt32LE(0x08074b50, 0);
  fields.writeUInt32LE(sum, 4);
  for (const at of [0, 1]) {
    if (isWide) fields.writeBigUInt64LE(BigInt(size), 8 + 8 * at);
    else fields.writeUInt32LE(size, 8 + 4 * at);
  }
  return fields;
}

interface WrittenEntry {
  readonly sum: number;
  readonly size: number;
  readonly start: number;
  readonly isWide: boolean;
  readonly madeAt: Date;
}

function listEntry(path: Buffer, { sum, size, start, isWide, madeAt }: WrittenEntry): Buffer {
  const isFar = start >= wide;
  const extra =
    isWide || isFar ? wideField([...(isWide ? [size, size] : []), ...(isFar ? [start] : [])]) : empty;
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(version, 4);
  entry.writeUInt16LE(version, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt32LE(timeOf(madeAt), 12);
  entry.writeUInt32LE(sum, 16);
  entry.writeUInt32LE(isWide ? wide : size, 20);
  entry.writeUInt32LE(isWide ? wide : size, 24);
  entry.writeUInt16LE(path.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(isFar ? wide : start, 42);
  return Buffer.concat([entry, path, extra]);
}

function wideField(numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * numbers.length, 2);
  for (const [at, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 4 + 8 * at);
  return field;
}

function endOfList(count: number, length: number, start: number): Buffer {
  const isWide = start >= wide || length >= wide || count >= 0xffff;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  for (const at of [8, 10]) end.writeUInt16LE(isWide ? 0xffff : count, at);
  end.writeUInt32LE(isWide ? wide : length, 12);
  end.writeUInt32LE(isWide ? wide : start, 16);
  if (!isWide) return end;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  for (const at of [12, 14]) end64.writeUInt16LE(version, at);
  for (const [at, number] of [count, count, length, start].entries())
    end64.writeBigUInt64LE(BigInt(number), 24 + 8 * at);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

/** MS-DOS time and date, in UTC. */
function timeOf(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return ((date << 16) | time) >>> 0;
}
