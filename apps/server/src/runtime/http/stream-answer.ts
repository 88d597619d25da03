import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Admission, NotAdmitted } from '@cellfolio/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A client that receives less than this within the stall timeout is disconnected. */
const chunkBytes = 256 * 1024;
const defaultStallMilliseconds = 60_000;
/**
 * As `chunkBytes`, while others wait for the slot of the response. A socket accepts more only when a third of its
 * buffer, up to several megabytes, has been received.
 */
const slowMilliseconds = 20_000;

/**
 * Streams a response, produced at most one piece ahead of the client. The stream is destroyed when the client
 * disconnects or stalls for a minute, or for twenty seconds while `othersWait`; `onEnd` is always called once. `onSent`
 * is called with a piece of an uncompressed response when the operating system has all of it, so that its memory can be
 * reused; not for the last pieces.
 */
export function streamAnswer(
  { clientGone }: FastifyRequest,
  reply: Pick<FastifyReply, 'raw'>,
  pieces: AsyncIterable<Uint8Array>,
  {
    onEnd,
    onSent,
    othersWait = () => false,
    stallMilliseconds = defaultStallMilliseconds,
  }: {
    onEnd?: () => void;
    onSent?: (piece: Uint8Array) => void;
    othersWait?: () => boolean;
    stallMilliseconds?: number;
  } = {},
): Readable {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const unsent: { piece: Uint8Array; end: number }[] = [];
    let passed = 0;
    for await (const piece of pieces) {
      unsent.push({ piece, end: passed + piece.length });
      for (let from = 0; from < piece.length; from += chunkBytes) {
        const chunk = piece.subarray(from, from + chunkBytes);
        const hangUp = () => void reply.raw.destroy();
        const stalled = setTimeout(hangUp, stallMilliseconds);
        const slow = setInterval(() => othersWait() && hangUp(), slowMilliseconds);
        try {
          yield chunk;
        } finally {
          clearTimeout(stalled);
          clearInterval(slow);
        }
        // The stream may still hold this chunk, but none before it.
        const sent = passed - reply.raw.writableLength;
        for (let first = unsent[0]; first && first.end <= sent; first = unsent[0]) {
          unsent.shift();
          onSent?.(first.piece);
        }
        passed += chunk.length;
      }
    }
  }
  const stream = Readable.from(chunks());
  if (onEnd) stream.once('close', onEnd);
  const end = (): void => void stream.destroy();
  clientGone.addEventListener('abort', end, { once: true });
  if (clientGone.aborted) end();
  return stream;
}

/**
 * A JSON response with a table of any length as its first field: no string ever holds the whole table. `lines` are made
 * by `jsonCharacters`.
 */
export async function* jsonWithTable(
  field: string,
  lines: AsyncIterable<Uint8Array>,
  rest: object,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{${JSON.stringify(field)}:"`);
  yield* lines;
  yield Buffer.from(`",${JSON.stringify(rest).slice(1)}`);
}

/** Waits for admission in the middle of a response, which overload must not abort. Throws the signal's reason. */
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
