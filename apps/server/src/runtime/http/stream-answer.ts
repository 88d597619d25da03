import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Admission, NotAdmitted } from '@cellfolio/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A client takes this much within the time that it is given, or its connection ends. */
const bytesAtOnce = 256 * 1024;
const defaultStallMilliseconds = 60_000;

/**
 * An answer that is made while it is sent, no more than a piece ahead of what the client takes. It is destroyed when the
 * client goes away or takes nothing for a minute; `onEnd` is called once, however it ends.
 */
export function streamAnswer(
  { clientGone }: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array>,
  { onEnd, stallMilliseconds = defaultStallMilliseconds }: { onEnd: () => void; stallMilliseconds?: number },
): Readable {
  async function* taken(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      for (let from = 0; from < piece.length; from += bytesAtOnce) {
        const stalled = setTimeout(() => reply.raw.destroy(), stallMilliseconds);
        try {
          yield piece.subarray(from, from + bytesAtOnce);
        } finally {
          clearTimeout(stalled);
        }
      }
    }
  }
  const stream = Readable.from(taken());
  stream.once('close', onEnd);
  const end = (): void => void stream.destroy();
  clientGone.addEventListener('abort', end, { once: true });
  if (clientGone.aborted) end();
  return stream;
}

/** Waits for a turn in the middle of an answer, which a busy server does not break off. Throws the signal's reason. */
export async function nextTurn(admission: Admission, user: string, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    try {
      return await admission.enter(user, signal);
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error;
      await sleep(error.retryAfterSeconds * 1000, undefined, { signal });
    }
  }
}
