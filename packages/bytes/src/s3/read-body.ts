import type { Readable } from 'node:stream';
import { memoryFor } from '../object-store.ts';
import { BodyCutShort } from './retries.ts';

/**
 * Reads a body of `length` bytes, into `into` if it is large enough. When the signal aborts, closes the connection
 * and throws its reason. Throws BodyCutShort.
 */
export async function readBody(
  body: Readable,
  length: number,
  into: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const bytes = memoryFor(length, into);
  const stop = () => body.destroy(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  let filled = 0;
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      if (filled + piece.length > length) throw new BodyCutShort(`received more than ${length} bytes`);
      bytes.set(piece, filled);
      filled += piece.length;
    }
  } catch (error) {
    body.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (filled !== length) throw new BodyCutShort(`received ${filled} of ${length} bytes`);
  return bytes;
}
