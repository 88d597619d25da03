import { blockEntries } from '../../../runtime/compute/analysis-work.ts';

/** Of a block of 32-bit numbers. Larger pieces, of a gene that millions of cells express, have memory of their own. */
const memoryBytes = blockEntries * Int32Array.BYTES_PER_ELEMENT;
/** As many as one download has on their way: two that are sent, two that are made, and the one before. */
const maxIdle = 5;

const idle: ArrayBuffer[] = [];
/** What has been made in such memory and not been sent. */
const made = new WeakSet<ArrayBufferLike>();

/**
 * A piece of up to so many bytes, which `make` puts to the beginning of the memory that it is given. That is used again
 * when `pieceSent` is told: memory that is new has to be cleared and collected, which took more of the processor than
 * reading, checking and sending what lies in it. Throws what `make` throws.
 */
export async function inPieceMemory(
  bytes: number,
  make: (memory: ArrayBuffer) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  if (bytes > memoryBytes) return make(new ArrayBuffer(bytes));
  const piece = await make(idle.pop() ?? new ArrayBuffer(memoryBytes));
  made.add(piece.buffer);
  return piece;
}

/** Nobody reads these bytes any more. They may be a part of a piece, or of nothing that is used again. */
export function pieceSent({ buffer }: Uint8Array): void {
  if (made.delete(buffer) && idle.length < maxIdle) idle.push(buffer as ArrayBuffer);
}
