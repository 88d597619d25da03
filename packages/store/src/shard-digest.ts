import { createHash } from 'node:crypto';

/**
 * What a shard is known by: the SHA-256 of the CRC-32C of each of its chunks, 32-bit little-endian, and of the bytes behind
 * the last of them. The checksums are there already, so that nothing reads a gigabyte once more to hash it.
 */
export function shardDigest(checksums: Uint32Array, rest: Uint8Array): string {
  const hash = createHash('sha256');
  hash.update(new Uint8Array(checksums.buffer, checksums.byteOffset, checksums.byteLength));
  return hash.update(rest).digest('hex');
}
