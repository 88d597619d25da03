import type { Readable } from 'node:stream';
import { memoryFor } from '../object-store.ts';
import { BodyCutShort } from './attempts.ts';

/**
 * All of a body of `length` bytes, in the start of `into` where they fit. Ends with the reason of the signal, and the
 * connection with it, when that aborts. Throws BodyCutShort.
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
      if (filled + piece.length > length) throw new BodyCutShort(`more than ${length} bytes came`);
      bytes.set(piece, filled);
      filled += piece.length;
    }
  } catch (error) {
    body.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (filled !== length) throw new BodyCutShort(`${filled} of ${length} bytes came`);
  return bytes;
}
