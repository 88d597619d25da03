import type { FilePart, H5adSource } from '@cellfolio/ingest/parts-of-h5ad';
import type { TaskCaller } from '../../../runtime/compute/compute-pool.ts';

/** Some bytes of a file that are made on demand. */
export interface FilePiece {
  offset: number;
  length: number;
  memory: number;
  make(caller: TaskCaller): Promise<Uint8Array> | Uint8Array;
}

/** A file whose layout is determined before any byte is made. */
export interface PlannedFile {
  bytes: number;
  /** Ordered by offset; gaps are zeros. */
  pieces: readonly FilePiece[];
}

class PieceMismatch extends Error {
  override readonly name = 'PieceMismatch';
}

const batchBytes = 1 << 23;

/**
 * The bytes of a file from an offset to its end; of a piece that begins before the offset only the rest. The next
 * pieces are made while some are consumed. Throws PieceMismatch, and what `make` throws.
 */
export async function* bytesFrom(
  { bytes: total, pieces }: PlannedFile,
  from: number,
  make: (batch: readonly FilePiece[]) => Promise<Uint8Array[]>,
): AsyncGenerator<Uint8Array> {
  const batches = batchesOf(pieces.filter(({ offset, length }) => offset + length > from));
  let next = batches[0] && begun(make(batches[0]));
  let at = from;
  for (const [place, batch] of batches.entries()) {
    const batchBytes = await next!;
    const following = batches[place + 1];
    next = following && begun(make(following));
    for (const [which, { offset, length }] of batch.entries()) {
      const bytes = batchBytes[which]!;
      if (bytes.length !== length) {
        throw new PieceMismatch(`${bytes.length} bytes instead of ${length} at ${offset}`);
      }
      if (offset > at) yield new Uint8Array(offset - at);
      yield bytes.subarray(Math.max(0, at - offset));
      at = offset + length;
    }
  }
  if (at < total) yield new Uint8Array(total - at);
}

/** A rejection surfaces when the promise is awaited; until then it does not count as unhandled. */
function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

function batchesOf(pieces: readonly FilePiece[]): FilePiece[][] {
  const batches: FilePiece[][] = [];
  let bytes = Infinity;
  for (const piece of pieces) {
    if (bytes + piece.memory > batchBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(piece);
    bytes += piece.memory;
  }
  return batches;
}

/** The pieces of a part, whose lengths must add up to that of the part; otherwise throws RangeError. */
export function placed(
  { offset, length }: Pick<FilePart<H5adSource>, 'offset' | 'length'>,
  pieces: readonly (Omit<FilePiece, 'offset' | 'memory'> & Partial<Pick<FilePiece, 'memory'>>)[],
): FilePiece[] {
  let at = offset;
  const all: FilePiece[] = [];
  for (const { length: bytes, memory = bytes, make } of pieces) {
    all.push({ offset: at, length: bytes, memory, make });
    at += bytes;
  }
  if (at !== offset + length) throw new RangeError(`pieces of ${at - offset} bytes for ${length}`);
  return all;
}
