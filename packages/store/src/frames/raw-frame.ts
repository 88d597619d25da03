import type { FrameBuffer } from './frame-buffer.ts';

const magic = 0xfd2f_b528;
/** Frame header descriptor: one segment, a content size of 4 bytes, a checksum, no dictionary. */
const descriptor = 0xa4;
/** Magic number, descriptor, content size, block header. */
const headerSize = 12;
const checksumSize = 4;
/** Most bytes of a block. */
const blockLimit = 131_072;

/**
 * Where the content of a zstd frame (RFC 8878) of one raw block lies in the buffer, in which the frame has the bytes
 * [at, at + length): what frames of level -100 nearly always are, and then nothing need be decoded. Undefined for any
 * other frame, which is for zlib to judge. Throws where the checksum does not fit.
 */
export function rawContentAt(
  buffer: FrameBuffer,
  at: number,
  length: number,
  size: number,
): number | undefined {
  const { bytes } = buffer;
  if (size > blockLimit || length !== headerSize + size + checksumSize || bytes[at + 4] !== descriptor) {
    return undefined;
  }
  const blockHeader = bytes[at + 9]! | (bytes[at + 10]! << 8) | (bytes[at + 11]! << 16);
  // The last block, raw, of all bytes.
  if (blockHeader !== ((size << 3) | 1)) return undefined;
  if (word(bytes, at) !== magic || word(bytes, at + 5) !== size) return undefined;
  const content = at + headerSize;
  if (buffer.checksum(content, size) !== word(bytes, content + size)) {
    throw new Error('the checksum of the frame does not fit');
  }
  return content;
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
