import { readSync } from 'node:fs';

/** What a collection of texts and other values of any length begins with: signature, version, three zeros. */
const START = Buffer.from('GCOL\u0001\0\0\0', 'latin1');
const HEADER = 16;
const OBJECT_HEADER = 16;
/** The library makes them of 4 KiB, or as large as their one value. */
const MOST_BYTES = 256 * 2 ** 20;
/** Structure is read in small pieces; large ones are values. */
const MOST_STRUCTURE = 65_536;

/**
 * Whether the collections of values that begin within a piece of a file are such that the library comes to their end.
 * It follows the sizes that stand in them without a check, for ever where one is zero or past the end
 * (https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html, III.E).
 *
 * @param piece what was just read from the position of the file.
 */
export function heapsEnd(descriptor: number, piece: Uint8Array, position: number): boolean {
  if (piece.length > MOST_STRUCTURE) return true;
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  for (let at = bytes.indexOf(START); at >= 0; at = bytes.indexOf(START, at + START.length))
    if (!collectionEnds(descriptor, position + at)) return false;
  return true;
}

function collectionEnds(descriptor: number, position: number): boolean {
  const header = Buffer.alloc(HEADER);
  if (readSync(descriptor, header, 0, HEADER, position) < HEADER) return true;
  const size = Number(header.readBigUInt64LE(8));
  if (size < HEADER || size > MOST_BYTES) return false;
  const collection = Buffer.alloc(size);
  const length = readSync(descriptor, collection, 0, size, position);
  let at = HEADER;
  while (at + OBJECT_HEADER <= length) {
    const index = collection.readUInt16LE(at);
    const bytes = Number(collection.readBigUInt64LE(at + 8));
    // The rest that is free has the number 0 and counts its own header.
    const taken = index === 0 ? bytes : OBJECT_HEADER + Math.ceil(bytes / 8) * 8;
    if (taken < OBJECT_HEADER || taken > size - at) return false;
    at += taken;
  }
  return true;
}
