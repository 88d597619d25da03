import { createHash } from 'node:crypto';
import { BlobTooLarge } from '../errors.ts';
import type { ByteSource } from '../object-store.ts';

export interface MeasuredBody extends AsyncIterable<Uint8Array> {
  readonly size: number;
  /** Whether the body itself broke off, rather than what read it. */
  readonly failure: { readonly error: unknown } | undefined;
  /** SHA-256 of what has passed, hex; to be asked once, at the end. */
  digest(): string;
}

/** The same pieces, counted and digested as they pass. Throws BlobTooLarge at the piece that goes past the limit. */
export function measuredBody(body: ByteSource, maxBytes: number, signal?: AbortSignal): MeasuredBody {
  const hash = createHash('sha256');
  let size = 0;
  let failure: { error: unknown } | undefined;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of body) {
        signal?.throwIfAborted();
        size += piece.byteLength;
        if (size > maxBytes) throw new BlobTooLarge(maxBytes);
        hash.update(piece);
        yield piece;
      }
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  const iterator = pieces();
  return {
    get size() {
      return size;
    },
    get failure() {
      return failure;
    },
    digest: () => hash.digest('hex'),
    [Symbol.asyncIterator]: () => iterator,
  };
}
