import type { ByteSource } from '@cellfolio/bytes';
import { StorageError } from './storage-error.ts';

/**
 * The same pieces, unless the next one is too long in coming: a sender that keeps a connection and says nothing would
 * keep its room and its memory for ever. Throws StorageError `InvalidRequest`.
 */
export async function* withoutStalls(body: ByteSource, seconds: number): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  let stalled = false;
  try {
    for (;;) {
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        stalled = true;
        reject(
          new StorageError('InvalidRequest', `Nothing came for ${seconds} seconds, so the upload ended.`),
        );
      }, seconds * 1000);
      let next: IteratorResult<Uint8Array>;
      try {
        next = await Promise.race([pieces.next(), late]);
      } finally {
        clearTimeout(timer);
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Asking a source to stop that never answers would wait for it as well.
    if (!stalled) await pieces.return?.();
  }
}
