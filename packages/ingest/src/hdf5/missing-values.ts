import type { DatasetInfo } from './element-type.ts';
import { address, type FileStructure, messageTypes } from './file-structure.ts';

const contiguous = 1;
const chunked = 2;

const chunkIndexes = { single: 1, implicit: 2, fixedArray: 3, extensibleArray: 4, tree: 5 } as const;

/**
 * Describes values of a dataset that are missing in the file; undefined if all are present. HDF5 allows missing values
 * and reads them as zeros, also if its chunk index is damaged, which in the older layout has no checksum. Based on the
 * layout message and the index (HDF5 File Format Specification 3.0, IV.A.2.i and III.A). Throws RangeError for an
 * unsupported structure.
 */
export function missingValues(file: FileStructure, info: DatasetInfo): string | undefined {
  const messages = file.object(info.path);
  const layout = messages.find(({ type }) => type === messageTypes.layout)?.body;
  // What lies in another file is refused by the library.
  if (layout === undefined || messages.some(({ type }) => type === messageTypes.externalFiles))
    return undefined;
  const version = layout[0]!;
  const old = version < 3;
  const kind = layout[old ? 2 : 1]!;
  if (kind === contiguous) {
    const at = address(layout, old ? 8 : 2);
    return at === undefined ? 'its values were never written' : undefined;
  }
  if (kind !== chunked || info.chunks === undefined) return undefined;
  const needed = info.shape.reduce((count, length, i) => count * Math.ceil(length / info.chunks![i]!), 1);
  const presentChunks =
    version > 3 ? indexedChunks(file, layout, needed) : treeChunks(file, address(layout, old ? 8 : 3), info);
  if (presentChunks >= needed) return undefined;
  return presentChunks === 0
    ? 'none of its values was written, or the index of them is damaged'
    : `only ${presentChunks} of its ${needed} chunks of values are found`;
}

/**
 * Number of chunks that the library finds from the root of a tree: it searches by the keys, which must be ascending.
 */
function treeChunks(file: FileStructure, root: number | undefined, info: DatasetInfo): number {
  if (root === undefined) return 0;
  const chunks = info.chunks!;
  const rank = chunks.length;
  const keyBytes = 8 + 8 * (rank + 1);
  /** Index of a chunk among those needed; for a key beyond the end of a dimension, that of the next chunk. */
  const placeOf = (block: Buffer, key: number): number => {
    let place = 0;
    for (let i = 0; i < rank; i++) {
      const at = Number(block.readBigUInt64LE(key + 8 + 8 * i)) / chunks[i]!;
      const count = Math.ceil(info.shape[i]! / chunks[i]!);
      if (at >= count) return i === 0 ? Infinity : (place + 1) * placesBelow(info, i - 1);
      place = place * count + at;
    }
    return place;
  };
  /**
   * `placeOf` for the key after a chunk, which may be that of the chunk itself with a byte offset within its elements.
   */
  const placeBehind = (block: Buffer, key: number): number =>
    placeOf(block, key) + (block.readBigUInt64LE(key + 8 + 8 * rank) > 0n ? 1 : 0);
  let next = 0;
  /** False at a chunk that is out of order: the count ends before it. */
  const visit = (place: number, maxLevel: number, below: number): boolean => {
    const { level, entries, block } = file.tree(place, 1, keyBytes);
    if (level > maxLevel) return false;
    for (let entry = 0; entry < entries; entry++) {
      const key = 24 + entry * (keyBytes + 8);
      const child = address(block, key + keyBytes);
      const upper = Math.min(below, placeBehind(block, key + keyBytes + 8));
      if (child === undefined || placeOf(block, key) > next || next >= upper) return false;
      if (level > 0) {
        if (!visit(child, level - 1, upper)) return false;
        continue;
      }
      const inside = child + block.readUInt32LE(key) <= file.fileBytes;
      if (placeOf(block, key) !== next || block.readUInt32LE(key) === 0 || !inside) return false;
      next++;
    }
    return true;
  };
  visit(root, 255, Infinity);
  return next;
}

function placesBelow({ shape, chunks }: DatasetInfo, dimension: number): number {
  let count = 1;
  for (let i = dimension + 1; i < shape.length; i++) count *= Math.ceil(shape[i]! / chunks![i]!);
  return count;
}

/** Number of chunks in newer indexes, whose blocks have checksums, so that damage is detected on reading. */
function indexedChunks(file: FileStructure, layout: Buffer, needed: number): number {
  const dimensions = layout[3]!;
  const at = 5 + dimensions * layout[4]!;
  const filtered = (layout[2]! & 2) !== 0;
  switch (layout[at]) {
    case chunkIndexes.single:
      return address(layout, at + 1 + (filtered ? 12 : 0)) === undefined ? 0 : 1;
    case chunkIndexes.implicit:
      return address(layout, at + 1) === undefined ? 0 : needed;
    case chunkIndexes.fixedArray:
      return fixedArrayChunks(file, address(layout, at + 2));
    case chunkIndexes.extensibleArray: {
      // Its header says how far it was filled.
      const header = address(layout, at + 6);
      return header === undefined ? 0 : Number(file.bytes(header, 60).readBigUInt64LE(12 + 4 * 8));
    }
    case chunkIndexes.tree: {
      const header = address(layout, at + 7);
      return header === undefined ? 0 : Number(file.bytes(header, 38).readBigUInt64LE(26));
    }
    default:
      throw new RangeError('an index of another kind');
  }
}

function fixedArrayChunks(file: FileStructure, header: number | undefined): number {
  if (header === undefined) return 0;
  const head = file.bytes(header, 28);
  if (head.toString('latin1', 0, 4) !== 'FAHD') throw new RangeError('no fixed array');
  const [entryBytes, pageBits] = [head[6]!, head[7]!];
  const entries = Number(head.readBigUInt64LE(8));
  const block = address(head, 16);
  if (block === undefined) return 0;
  const pageEntries = 2 ** pageBits;
  const pages = entries > pageEntries ? Math.ceil(entries / pageEntries) : 0;
  const start = block + 14;
  if (pages === 0) return addresses(file.bytes(start, entries * entryBytes), entryBytes);
  const written = file.bytes(start, Math.ceil(pages / 8));
  let presentCount = 0;
  let at = start + written.length + 4;
  for (let page = 0; page < pages; page++) {
    const count = Math.min(pageEntries, entries - page * pageEntries);
    // Pages that were never written say nothing; the first bit is the highest.
    if (written[page >> 3]! & (0x80 >> (page & 7)))
      presentCount += addresses(file.bytes(at, count * entryBytes), entryBytes);
    at += pageEntries * entryBytes + 4;
  }
  return presentCount;
}

function addresses(block: Buffer, entryBytes: number): number {
  let presentCount = 0;
  for (let at = 0; at + entryBytes <= block.length; at += entryBytes)
    if (address(block, at) !== undefined) presentCount++;
  return presentCount;
}
