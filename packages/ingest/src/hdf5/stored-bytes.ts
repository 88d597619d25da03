import type { DatasetInfo, StoredBytes } from './element-type.ts';
import { address, FileStructure, messageTypes } from './file-structure.ts';

const deflate = 1;
const shuffle = 2;
/** Datasets with more chunks are read by the library, without a chunk table in memory. */
const maxChunks = 4_194_304;
/**
 * Finds the bytes of a dataset from the structure of the file (HDF5 File Format Specification 3.0), so that reading can
 * bypass the library, which copies them twice and inflates in WebAssembly. The library must have accepted the dataset
 * before. Undefined for anything not written as h5py does: the library then reads it.
 */
export function storedBytes(
  descriptor: number,
  fileBytes: number,
  info: DatasetInfo,
): StoredBytes | undefined {
  const filters = info.filters.map(({ id }) => id).join();
  const packed = filters === `${deflate}` || filters === `${shuffle},${deflate}`;
  if (info.shape.length !== 1 || !(filters === '' || packed)) return undefined;
  try {
    return bytesOf(new FileStructure(descriptor, fileBytes), info);
  } catch (error) {
    // A position outside of what was read: the structure is another one.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function bytesOf(file: FileStructure, info: DatasetInfo): StoredBytes | undefined {
  const layout = file.object(info.path).find(({ type }) => type === messageTypes.layout)?.body;
  if (layout === undefined) return undefined;
  const version = layout[0]!;
  const kind = layout[1]!;
  const bytes = info.shape[0]! * info.type.size;
  if (kind === 1 && (version === 3 || version === 4)) {
    const at = address(layout, 2);
    const fits = at !== undefined && at + bytes <= file.fileBytes && address(layout, 10) === bytes;
    return fits && info.filters.length === 0 ? { kind: 'contiguous', at } : undefined;
  }
  const length = info.chunks?.[0] ?? 0;
  // One dimension, and that of the element's bytes.
  const isSupported = kind === 2 && version === 3 && layout[2] === 2;
  if (!isSupported || layout.readUInt32LE(11) !== length || layout.readUInt32LE(15) !== info.type.size)
    return undefined;
  return chunksOf(file, address(layout, 3), length, info);
}

function chunksOf(
  file: FileStructure,
  tree: number | undefined,
  length: number,
  info: DatasetInfo,
): StoredBytes | undefined {
  const count = Math.ceil(info.shape[0]! / length);
  if (tree === undefined || count > maxChunks) return undefined;
  const at = new Float64Array(count);
  const bytes = new Uint32Array(count);
  let chunkCount = 0;
  const visit = (place: number, maxLevel: number): boolean => {
    const { level, entries, block } = file.tree(place, 1, 24);
    if (level > maxLevel) return false;
    for (let entry = 0; entry < entries; entry++) {
      const key = 24 + entry * 32;
      const child = address(block, key + 24);
      if (child === undefined) return false;
      if (level > 0) {
        if (!visit(child, level - 1)) return false;
        continue;
      }
      const first = Number(block.readBigUInt64LE(key + 8));
      const chunk = first / length;
      const size = block.readUInt32LE(key);
      const mask = block.readUInt32LE(key + 4);
      // Chunks that some filter was not applied to are rare, and for the library.
      if (!(chunk < count) || chunk % 1 !== 0 || bytes[chunk] !== 0 || size === 0 || mask !== 0) return false;
      if (child + size > file.fileBytes) return false;
      if (info.filters.length === 0 && size !== length * info.type.size) return false;
      at[chunk] = child;
      bytes[chunk] = size;
      chunkCount++;
    }
    return true;
  };
  // A chunk that was never written has the fill value.
  if (!visit(tree, 255) || chunkCount !== count) return undefined;
  return { kind: 'chunks', length, at, bytes, shuffled: info.filters.some(({ id }) => id === shuffle) };
}
