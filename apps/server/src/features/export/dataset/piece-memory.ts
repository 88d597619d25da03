import { blockEntries } from '../../../runtime/compute/analysis-work.ts';

/**
 * Size of a block of 32-bit numbers. Larger pieces, of a gene that millions of cells express, have their own memory.
 */
const memoryBytes = blockEntries * Int32Array.BYTES_PER_ELEMENT;
/** Buffers that one download has in use: two being made, and two being sent with the one before. */
const maxShared = 2;
const maxIdle = 3;

/**
 * Threads write pieces to memory shared with them; sockets do not accept shared memory, so a piece is sent from memory
 * of this thread.
 */
const shared: SharedArrayBuffer[] = [];
const idle: ArrayBuffer[] = [];
const sent = new WeakSet<ArrayBufferLike>();

/**
 * A piece of up to `bytes` bytes, which `make` writes to the beginning of the memory it receives. All memory is reused
 * after `pieceSent` and stays in its thread: new memory has to be cleared, and memory that is new or moved between
 * threads counts as newly allocated each time, so that the garbage collector marked the whole heap again and again.
 * That took half of the processor time of an export. Throws what `make` throws.
 */
export async function inPieceMemory(
  bytes: number,
  make: (memory: SharedArrayBuffer) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const large = bytes > memoryBytes;
  const memory = (large ? undefined : shared.pop()) ?? new SharedArrayBuffer(large ? bytes : memoryBytes);
  const content = await make(memory);
  const own = (large ? undefined : idle.pop()) ?? new ArrayBuffer(large ? content.length : memoryBytes);
  const piece = new Uint8Array(own, 0, content.length);
  piece.set(content);
  if (large) return piece;
  if (shared.length < maxShared) shared.push(memory);
  sent.add(own);
  return piece;
}

/** Releases the memory of sent bytes. They may be a part of a piece, or not from this pool. */
export function pieceSent({ buffer }: Uint8Array): void {
  if (sent.delete(buffer) && idle.length < maxIdle) idle.push(buffer as ArrayBuffer);
}
