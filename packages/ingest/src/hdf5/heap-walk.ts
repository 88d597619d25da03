import { fstatSync, readSync } from 'node:fs';

/** First bytes of a global heap collection: signature, version, three zeros. */
const collectionSignature = Buffer.from('GCOL\u0001\0\0\0', 'latin1');
/** First bytes of a local heap, which has the names in a group. */
const namesSignature = Buffer.from('HEAP\0\0\0\0', 'latin1');
const fileSignature = Buffer.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]);
const headerBytes = 16;
const objectHeader = 16;
/** Maximum heap size: the library creates heaps of 4 KiB, or of the size of their single value. */
const maxBytes = 256 * 2 ** 20;
/** Maximum size of a structural read; larger reads are values. */
const maxStructure = 65_536;
/**
 * Maximum bytes walked, relative to the file size: heaps do not overlap, so in total they fit the file, plus some left
 * over from removed ones.
 */
const maxWalks = 4;
/** End marker of the free list. */
const noPlace = 1n;

/**
 * Validates the heaps of a file: the library follows their sizes and offsets, endlessly if one is zero or leads back
 * (https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html, III.D and III.E). Each is walked once, within
 * the limit of the file's size: in a forged file every few bytes could begin a heap that declares hundreds of
 * megabytes.
 */
export class HeapWalk {
  readonly #walked = new Map<number, boolean>();
  bytesRead = 0;
  #base: number | undefined;

  /**
   * Whether the heaps that begin within a piece of the file end properly. `piece`: bytes just read at the position of
   * the file.
   */
  end(descriptor: number, piece: Uint8Array, position: number): boolean {
    if (piece.length > maxStructure) return true;
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const ends = (signature: Buffer, walk: (position: number) => boolean): boolean => {
      for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + signature.length)) {
        const walked = this.#walked.get(position + at) ?? (this.#mayWalk(descriptor) && walk(position + at));
        this.#walked.set(position + at, walked);
        if (!walked) return false;
      }
      return true;
    };
    return (
      ends(collectionSignature, (at) => this.#collectionEnds(descriptor, at)) &&
      ends(namesSignature, (at) => this.#namesEnd(descriptor, at))
    );
  }

  #collectionEnds(descriptor: number, position: number): boolean {
    const header = this.#read(descriptor, position, headerBytes);
    if (header === undefined) return true;
    const size = Number(header.readBigUInt64LE(8));
    if (size < headerBytes || size > maxBytes) return false;
    const collection = this.#read(descriptor, position, size);
    if (collection === undefined) return false;
    let at = headerBytes;
    while (at + objectHeader <= size) {
      const index = collection.readUInt16LE(at);
      const bytes = Number(collection.readBigUInt64LE(at + 8));
      // The rest that is free has the number 0 and counts its own header.
      const objectBytes = index === 0 ? bytes : objectHeader + Math.ceil(bytes / 8) * 8;
      if (objectBytes < objectHeader || objectBytes > size - at) return false;
      at += objectBytes;
    }
    return true;
  }

  /** Texts may begin like a heap: anything that is not a heap, or exceeds its own bounds, is left to the library. */
  #namesEnd(descriptor: number, position: number): boolean {
    const header = this.#read(descriptor, position, 32);
    if (header === undefined) return true;
    const size = Number(header.readBigUInt64LE(8));
    this.#base ??= baseOf(descriptor);
    const place = this.#base + Number(header.readBigUInt64LE(24));
    if (size > maxBytes) return true;
    const names = this.#read(descriptor, place, size);
    if (names === undefined) return true;
    let free = header.readBigUInt64LE(16);
    for (let steps = 0; free !== noPlace && free + 16n <= BigInt(size); steps++) {
      if (steps > size / 16) return false;
      free = names.readBigUInt64LE(Number(free));
    }
    return true;
  }

  #mayWalk(descriptor: number): boolean {
    return this.bytesRead <= maxStructure + maxWalks * fstatSync(descriptor).size;
  }

  /** Undefined beyond the end of the file. */
  #read(descriptor: number, position: number, length: number): Buffer | undefined {
    if (position + length > fstatSync(descriptor).size) return undefined;
    this.bytesRead += length;
    const bytes = Buffer.alloc(length);
    return readSync(descriptor, bytes, 0, length, position) === length ? bytes : undefined;
  }
}

/** Base position of the file's addresses: a user block may precede it. */
function baseOf(descriptor: number): number {
  const { size } = fstatSync(descriptor);
  const head = Buffer.alloc(fileSignature.length);
  for (let at = 0; at < size; at = at === 0 ? 512 : at * 2) {
    readSync(descriptor, head, 0, head.length, at);
    if (head.equals(fileSignature)) return at;
  }
  return 0;
}
