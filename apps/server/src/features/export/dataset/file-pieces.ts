import type { FilePart, H5adSource } from '@cellfolio/ingest/parts-of-h5ad';
import type { TaskCaller } from '../../../runtime/compute/compute-pool.ts';

/** Some bytes of a file that are made when they are wanted. */
export interface FilePiece {
  readonly offset: number;
  readonly length: number;
  make(caller: TaskCaller): Promise<Uint8Array> | Uint8Array;
}

/** A file of which every byte has its place before any is made. */
export interface PlannedFile {
  readonly bytes: number;
  /** In the order of their offsets; between them are zeros. */
  readonly pieces: readonly FilePiece[];
}

/** What a piece was made of is not what it was planned for. */
class PieceMismatch extends Error {
  override readonly name = 'PieceMismatch';
}

/** The bytes of a file from one on, to its end: of a piece that begins before it only the rest. Throws PieceMismatch. */
export async function* bytesFrom(
  { bytes: total, pieces }: PlannedFile,
  from: number,
  make: (piece: FilePiece) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let at = from;
  for (const piece of pieces) {
    if (piece.offset + piece.length <= at) continue;
    if (piece.offset > at) yield new Uint8Array(piece.offset - at);
    at = Math.max(at, piece.offset);
    const made = await make(piece);
    if (made.length !== piece.length) {
      throw new PieceMismatch(`${made.length} bytes instead of ${piece.length} at ${piece.offset}`);
    }
    yield made.subarray(at - piece.offset);
    at = piece.offset + piece.length;
  }
  if (at < total) yield new Uint8Array(total - at);
}

/** The pieces of a part that is as long as they are together. Throws RangeError where they are not. */
export function placed(
  { offset, length }: Pick<FilePart<H5adSource>, 'offset' | 'length'>,
  pieces: readonly Omit<FilePiece, 'offset'>[],
): FilePiece[] {
  let at = offset;
  const all: FilePiece[] = [];
  for (const { length: bytes, make } of pieces) {
    all.push({ offset: at, length: bytes, make });
    at += bytes;
  }
  if (at !== offset + length) throw new RangeError(`pieces of ${at - offset} bytes for ${length}`);
  return all;
}
