import { Readable } from 'node:stream';
import type { ByteSource } from './blob-store.ts';

/** A byte stream of the pieces, asking for the next only when there is room for it. */
export function streamOf(body: ByteSource): Readable {
  return Readable.from(body, { objectMode: false });
}
