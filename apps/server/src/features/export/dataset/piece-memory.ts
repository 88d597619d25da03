import { blockEntries } from '../../../runtime/compute/analysis-work.ts';

/** Of a block of 32-bit numbers. Larger pieces, of a gene that millions of cells express, have memory of their own. */
const memoryBytes = blockEntries * Int32Array.BYTES_PER_ELEMENT;
/** As many as one download has on their way: two that are made, and two that are sent with the one before. */
const maxShared = 2;
const maxIdle = 3;

/** Threads make pieces in memory that is shared with them; sockets take none, so that a piece is sent from memory of here. */
const shared: SharedArrayBuffer[] = [];
const idle: ArrayBuffer[] = [];
/** What is on its way in such memory. */
const sent = new WeakSet<ArrayBufferLike>();

/**
 * A piece of up to so many bytes, which `make` puts to the beginning of the memory that it is given. All memory is used
 * again, when `pieceSent` is told, and stays in its thread: what is new has to be cleared, and what is new or moved from
 * thread to thread counts as new each time, so that the collector of garbage marked the whole heap again and again. That
 * took half of the processor's time of an export. Throws what `make` throws.
 */
export async function inPieceMemory(
  bytes: number,
  make: (memory: SharedArrayBuffer) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const large = bytes > memoryBytes;
  const memory = (large ? undefined : shared.pop()) ?? new SharedArrayBuffer(large ? bytes : memoryBytes);
  const made = await make(memory);
  const own = (large ? undefined : idle.pop()) ?? new ArrayBuffer(large ? made.length : memoryBytes);
  const piece = new Uint8Array(own, 0, made.length);
  piece.set(made);
  if (large) return piece;
  if (shared.length < maxShared) shared.push(memory);
  sent.add(own);
  return piece;
}

/** Nobody reads these bytes any more. They may be a part of a piece, or of nothing that is used again. */
export function pieceSent({ buffer }: Uint8Array): void {
  if (sent.delete(buffer) && idle.length < maxIdle) idle.push(buffer as ArrayBuffer);
}
