import { SharedWork } from '../concurrency.ts';
import type { ByteRange } from '../object-store.ts';
import type { FetchedBytes, FetchOptions } from '../s3/s3-object-store.ts';

/** Bytes that are kept together in one file of the cache. */
export const blockBytes = 256 * 1024;
/** A range no longer than that is kept by itself: the index of a shard is at its end, and nobody wants what is before it. */
const smallRange = 16 * 1024;

/** A part of an object that is kept as one. The last one of an object is shorter than its length. */
export type Span = ByteRange;

/** The spans that hold a range, side by side. */
export function spansOf(range: ByteRange): Span[] {
  if (range.length > smallRange) return blocksOf(range);
  return range.length === 0 ? [] : [range];
}

/** The blocks that hold a range, side by side. */
export function blocksOf({ offset, length }: ByteRange): Span[] {
  const spans: Span[] = [];
  for (let at = offset - (offset % blockBytes); at < offset + length; at += blockBytes) {
    spans.push({ offset: at, length: blockBytes });
  }
  return spans;
}

/** Which part of a span a range wants. */
export function partOf({ offset, length }: ByteRange, span: Span): { from: number; to: number } {
  return {
    from: Math.max(offset - span.offset, 0),
    to: Math.min(offset + length - span.offset, span.length),
  };
}

/** The range that spans side by side make together. */
function rangeOf(spans: readonly Span[]): ByteRange {
  const first = spans[0]!;
  const last = spans.at(-1)!;
  return { offset: first.offset, length: last.offset + last.length - first.offset };
}

/** Where spans come from. What lies beyond the end of an object is left out. */
export type FetchRange = (key: string, options: FetchOptions) => Promise<FetchedBytes>;

interface Wanted {
  readonly span: Span;
  /** Aborts when nobody waits for this span any more. */
  readonly signal: AbortSignal;
  readonly resolve: (fetched: FetchedBytes) => void;
  readonly reject: (error: unknown) => void;
}

/** Bytes fetched at a time at most, in one request. */
const maxRunBytes = 8 * 1024 * 1024;

/**
 * Fetches spans: those that lie side by side in one request, and each of them once, however many want it at a time. A
 * request is cancelled when nobody waits for any of its spans.
 */
export class SpanFetches {
  readonly #fetch: FetchRange;
  readonly #keep: (key: string, span: Span, fetched: FetchedBytes) => Promise<void>;
  readonly #running = new SharedWork<string, FetchedBytes>();

  /** @param keep is called with every span before its readers get it */
  constructor(fetch: FetchRange, keep: (key: string, span: Span, fetched: FetchedBytes) => Promise<void>) {
    this.#fetch = fetch;
    this.#keep = keep;
  }

  /** Rising spans of one object, in their order. Throws what fetching throws. */
  async get(
    key: string,
    spans: readonly Span[],
    signal: AbortSignal | undefined,
  ): Promise<readonly FetchedBytes[]> {
    const wanted: Wanted[] = [];
    const results = spans.map((span) =>
      this.#running.run(
        `${span.offset} ${span.length} ${key}`,
        signal,
        (shared) => new Promise((resolve, reject) => wanted.push({ span, signal: shared, resolve, reject })),
      ),
    );
    for (const run of runsOf(wanted)) void this.#getRun(key, run);
    return Promise.all(results);
  }

  /** Never rejects: its readers are rejected instead. */
  async #getRun(key: string, run: readonly Wanted[]): Promise<void> {
    const stop = new AbortController();
    const leave = () => {
      if (run.every(({ signal }) => signal.aborted)) stop.abort(run[0]?.signal.reason);
    };
    for (const { signal } of run) signal.addEventListener('abort', leave, { once: true });
    try {
      const range = rangeOf(run.map(({ span }) => span));
      const { bytes, objectSize } = await this.#fetch(key, { range, signal: stop.signal });
      await Promise.all(
        run.map(async ({ span, resolve }) => {
          const from = span.offset - range.offset;
          const part = { bytes: bytes.subarray(from, from + span.length), objectSize };
          // Beyond the end there is nothing to keep.
          if (part.bytes.length > 0) await this.#keep(key, span, part);
          resolve(part);
        }),
      );
    } catch (error) {
      for (const { reject } of run) reject(error);
    } finally {
      for (const { signal } of run) signal.removeEventListener('abort', leave);
    }
  }
}

/** Cut where spans do not lie side by side, and where a request would be long. */
function runsOf(wanted: readonly Wanted[]): Wanted[][] {
  const runs: Wanted[][] = [];
  let end: number | undefined;
  let length = 0;
  for (const one of wanted) {
    const { span } = one;
    if (span.offset !== end || length + span.length > maxRunBytes) {
      runs.push([]);
      length = 0;
    }
    runs.at(-1)!.push(one);
    end = span.offset + span.length;
    length += span.length;
  }
  return runs;
}
